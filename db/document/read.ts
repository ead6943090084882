import type { Instant } from '../../billing/calendar/instant.ts';
import type { ChargedLine } from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../connect.ts';
import { type CreditNote, readNote } from '../credit-note/read.ts';
import type { Buyer } from '../entities/credit-note.ts';
import type { Seller } from '../entities/vendor.ts';
import { linesOfInvoices } from '../invoice/read.ts';

/** The parties as they were when the document was made. */
export interface Parties {
  seller: Seller;
  buyer: Buyer;
}

export interface InvoiceDocument extends Parties {
  kind: 'invoice';
  id: string;
  number: string;
  /** its contract */
  reference: string;
  date: Instant;
  dueDate: Instant;
  currency: Currency;
  total: string;
  /** a draft isn't final and gets no stored hash */
  state: 'final' | 'draft' | 'void';
  lines: ChargedLine[];
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
  validated_at: Instant | null;
  voided_at: Instant | null;
}

/** All that stands on a printed invoice; null when the vendor has no such invoice. */
export async function invoiceDocument(db: Queryable, vendorId: string, id: string): Promise<InvoiceDocument | null> {
  const [row] = await db.query<InvoiceRow>(
    'select id, number, contract_id, date, due_date, currency, total, validated_at, voided_at from invoice where id = $1 and vendor_id = $2',
    [id, vendorId],
  );
  if (row === undefined) return null;
  const lines = await linesOfInvoices(db, [id]);
  return {
    kind: 'invoice',
    ...(await partiesOf(db, id)),
    id,
    number: row.number,
    reference: row.contract_id,
    date: row.date,
    dueDate: row.due_date,
    currency: row.currency,
    total: row.total,
    state: row.voided_at !== null ? 'void' : row.validated_at === null ? 'draft' : 'final',
    lines: lines.get(id) ?? [],
  };
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

/** Keeps the hash of the first print; gives the one that is kept. */
export async function keepHash(db: Queryable, id: string, sha256: string): Promise<string> {
  const [row] = await db.query<{ sha256: string }>(
    `update document set sha256 = coalesce(sha256, $2), printed = coalesce(printed, clock_timestamp()) where id = $1 returning sha256`,
    [id, sha256],
  );
  return row?.sha256 ?? sha256;
}
