import type { Instant } from '../../billing/calendar/instant.ts';
import type { CreditableInvoice, CreditableLine, CreditNote as NoteOfRule } from '../../billing/invoice/credit-note.ts';
import { type FamilyLine, type GivenBack, givenBackIn } from '../../billing/invoice/given-back.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../../db/connect.ts';

export interface CreditNoteItem {
  invoiceItemId: string;
  name: string;
  amount: string;
  totalExcludingTax: string;
  taxAmount: string;
  taxRate: string | null;
}

/** A credit note as it was written. */
export interface CreditNote {
  id: string;
  vendorId: string;
  customerId: string;
  invoiceId: string;
  number: string;
  created: Instant;
  currency: Currency;
  target: 'wallet' | 'payment';
  total: string;
  taxAmount: string;
  /** the part that lowered what was still unpaid */
  reduced: string;
  toWallet: string;
  toPayment: string;
  notes: string | null;
  items: CreditNoteItem[];
}

const SELECT = `
  select n.id, n.vendor_id as "vendorId", n.customer_id as "customerId", n.invoice_id as "invoiceId", n.number::text, n.created, n.currency, n.target,
    n.total::text, n.tax_amount::text as "taxAmount", n.reduced::text, n.to_wallet::text as "toWallet", n.to_payment::text as "toPayment", n.notes,
    (select jsonb_agg(jsonb_build_object('invoiceItemId', x.invoice_item_id, 'name', l.name, 'amount', x.amount::text,
       'totalExcludingTax', x.total_excluding_tax::text, 'taxAmount', x.tax_amount::text, 'taxRate', l.tax_rate::text) order by l.position, l.id)
     from credit_note_item x join invoice_item l on l.id = x.invoice_item_id where x.credit_note_id = n.id) as items
  from credit_note n`;

/** The notes of many invoices, oldest first. */
export function notesOf(db: Queryable, invoiceIds: readonly string[]): Promise<CreditNote[]> {
  return db.query<CreditNote>(`${SELECT} where n.invoice_id = any($1::text[]) order by n.created, n.id`, [invoiceIds]);
}

export async function readNote(db: Queryable, vendorId: string, id: string): Promise<CreditNote | null> {
  const [row] = await db.query<CreditNote>(`${SELECT} where n.vendor_id = $1 and n.id = $2`, [vendorId, id]);
  return row ?? null;
}

/** An invoice as the rule for credit notes wants to see it. The caller holds its contracts, so that no change gives back meanwhile. */
export async function creditable(db: Queryable, invoice: { id: string; currency: Currency; total: string }): Promise<CreditableInvoice> {
  const lines = await db.query<CreditableLine>(
    `select id, kind, total_excluding_tax::text as "totalExcludingTax", tax_amount::text as "taxAmount", total_including_tax::text as "totalIncludingTax"
     from invoice_item where invoice_id = $1 order by position, id`,
    [invoice.id],
  );
  const [money] = await db.query<{ paid: string }>(
    `select coalesce(sum(amount), 0)::text as paid from payment_attempt where invoice_id = $1 and status = 'succeeded'`,
    [invoice.id],
  );
  const notes = (await notesOf(db, [invoice.id])).map(
    (note): NoteOfRule => ({
      to: note.target,
      total: note.total,
      items: note.items.map(({ invoiceItemId, ...amounts }) => ({ lineId: invoiceItemId, ...amounts })),
    }),
  );
  const given = await givenBackOf(db, invoice);
  const withGiven = lines.map((line): CreditableLine => {
    const givenBack = given.get(line.id);
    return givenBack === undefined ? line : { ...line, givenBack };
  });
  return { currency: invoice.currency, total: invoice.total, paidInMoney: money?.paid ?? '0', lines: withGiven, notes };
}

/** What lines of changes and corrections, on whatever invoice or on none yet, gave back of the lines of this invoice. */
async function givenBackOf(db: Queryable, { id, currency }: { id: string; currency: Currency }): Promise<Map<string, GivenBack>> {
  const rows = await db.query<{ family: string; id: string; total: string; tax: string; noted: string; notedTax: string }>(
    `select kin.family, x.id, x.total_including_tax::text as total, x.tax_amount::text as tax, noted.amount::text as noted, noted.tax::text as "notedTax"
     from (
       select i.id as family, i.id from invoice_item i where i.invoice_id = $1
       union select i.id, c.id from invoice_item i join invoice_item c on c.credit_of = i.id where i.invoice_id = $1
       union select i.contract_id || i.period_idx || i.source, c.id from invoice_item i
         join invoice_item c on c.contract_id = i.contract_id and c.period_idx = i.period_idx and c.source = i.source and c.kind in ('usage', 'correction')
         where i.invoice_id = $1 and i.kind in ('usage', 'correction')
     ) kin
     join invoice_item x on x.id = kin.id and not x.dead
     cross join lateral (
       select coalesce(sum(n.amount), 0) as amount, coalesce(sum(n.tax_amount), 0) as tax from credit_note_item n where n.invoice_item_id = x.id
     ) noted
     order by x.created, x.position, x.id`,
    [id],
  );
  const families = new Map<string, FamilyLine[]>();
  for (const { family, total, tax, noted, notedTax, ...row } of rows) {
    const line = { id: row.id, totalIncludingTax: total, taxAmount: tax, noted: { amount: noted, taxAmount: notedTax } };
    families.set(family, [...(families.get(family) ?? []), line]);
  }
  return new Map([...families.values()].flatMap((family) => [...givenBackIn(family, currency)]));
}
