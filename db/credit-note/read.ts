import type { Instant } from '../../billing/calendar/instant.ts';
import type { Line } from '../../billing/contract/types.ts';
import type { CreditableInvoice, CreditNote as NoteOfRule } from '../../billing/invoice/credit-note.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../connect.ts';

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

/** An invoice as the rule for credit notes wants to see it. */
export async function creditable(db: Queryable, invoice: { id: string; currency: Currency; total: string }): Promise<CreditableInvoice> {
  const lines = await db.query<Pick<Line, 'id' | 'kind' | 'totalExcludingTax' | 'taxAmount' | 'totalIncludingTax'>>(
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
  return { currency: invoice.currency, total: invoice.total, paidInMoney: money?.paid ?? '0', lines, notes };
}
