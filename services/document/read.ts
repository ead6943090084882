import type { Instant } from '../../billing/calendar/instant.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { MethodDetails, MethodType } from '../../billing/payment/types.ts';
import type { Queryable } from '../../db/connect.ts';
import type { Buyer } from '../../db/entities/document.ts';
import type { Seller } from '../../db/entities/vendor.ts';
import { linesOfInvoices } from '../../db/invoice/read.ts';
import { type CreditNote, notesOf, readNote } from '../credit-note/read.ts';

/** The parties as they were when the document was made. */
export interface Parties {
  seller: Seller;
  buyer: Buyer;
}

export interface InvoiceHead {
  kind: 'invoice';
  id: string;
  number: string;
  /** its contract */
  reference: string;
  date: Instant;
  dueDate: Instant;
  currency: Currency;
  total: string;
  /** a draft isn't final yet, and its print isn't kept */
  state: 'final' | 'draft' | 'void';
  account: Account;
}

export interface InvoiceDocument extends InvoiceHead, Parties {
  lines: ChargedLine[];
}

/** Money that came in for an invoice. */
export interface Receipt {
  at: Instant;
  amount: string;
  /** `wallet`, `manual` for what the vendor recorded, or what was charged */
  by: 'wallet' | 'manual' | MethodType;
  details: MethodDetails | null;
  /** what the vendor gave with a payment recorded by hand */
  reference: string | null;
}

/** What has happened to an invoice since it was made. */
export interface Account {
  receipts: Receipt[];
  notes: CreditNote[];
  /** paid beyond what was due, and moved to the wallet */
  surplus: string;
  amountDue: string;
}

export interface CreditNoteDocument extends Parties {
  kind: 'credit_note';
  note: CreditNote;
  invoiceNumber: string;
  invoiceDate: Instant;
}

interface InvoiceRow {
  id: string;
  number: string;
  contract_id: string;
  date: Instant;
  due_date: Instant;
  currency: Currency;
  total: string;
  amount_due: string;
  validated_at: Instant | null;
  voided_at: Instant | null;
}

/** What an invoice says of itself, without its lines; null when the vendor has no such invoice. */
export async function invoiceHead(db: Queryable, vendorId: string, id: string): Promise<InvoiceHead | null> {
  const [row] = await db.query<InvoiceRow>(
    'select id, number, contract_id, date, due_date, currency, total, amount_due, validated_at, voided_at from invoice where id = $1 and vendor_id = $2',
    [id, vendorId],
  );
  if (row === undefined) return null;
  return {
    kind: 'invoice',
    id,
    number: row.number,
    reference: row.contract_id,
    date: row.date,
    dueDate: row.due_date,
    currency: row.currency,
    total: row.total,
    state: row.voided_at !== null ? 'void' : row.validated_at === null ? 'draft' : 'final',
    account: await accountOf(db, row),
  };
}

/** All that stands on a printed invoice; null when the vendor has no such invoice. */
export async function invoiceDocument(db: Queryable, vendorId: string, id: string): Promise<InvoiceDocument | null> {
  const head = await invoiceHead(db, vendorId, id);
  if (head === null) return null;
  const lines = await linesOfInvoices(db, [id]);
  return { ...head, ...(await partiesOf(db, id)), lines: lines.get(id) ?? [] };
}

async function accountOf(db: Queryable, { id, total, amount_due: amountDue }: InvoiceRow): Promise<Account> {
  const receipts = await db.query<Receipt>(
    `select at, amount, by, details, reference from (
       select t.at, (-t.amount)::text as amount, 'wallet' as by, null::jsonb as details, null as reference, t.id
         from wallet_transaction t where t.invoice_id = $1 and t.kind = 'payment'
       union all
       select coalesce(a.ended, a.created), a.amount::text, coalesce(m.method_type, 'manual'), m.details,
           case when m.id is null then a.reference end, a.id
         from payment_attempt a left join payment_method m on m.id = a.method_id where a.invoice_id = $1 and a.status = 'succeeded'
     ) receipts order by at, right(id, 36)`,
    [id],
  );
  const notes = await notesOf(db, [id]);
  const settled = sum([...receipts.map(({ amount }) => dec(amount)), ...notes.map(({ reduced }) => dec(reduced))]);
  return { receipts, notes, surplus: settled.minus(dec(total).minus(amountDue)).toFixed(), amountDue };
}

/** All that stands on a printed credit note of an invoice. */
export async function creditNoteDocument(
  db: Queryable,
  vendorId: string,
  invoiceId: string,
  id: string,
): Promise<CreditNoteDocument | null> {
  const note = await readNote(db, vendorId, id);
  if (note === null || note.invoiceId !== invoiceId) return null;
  const [invoice] = await db.query<{ number: string; date: Instant }>('select number, date from invoice where id = $1', [invoiceId]);
  if (invoice === undefined) return null;
  return { kind: 'credit_note', ...(await partiesOf(db, id)), note, invoiceNumber: invoice.number, invoiceDate: invoice.date };
}

async function partiesOf(db: Queryable, id: string): Promise<Parties> {
  const [row] = await db.query<Parties>('select seller, buyer from document where id = $1', [id]);
  if (row === undefined) throw new Error(`${id} was made without its parties`);
  return row;
}
