import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { MethodDetails, MethodType } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import { CreditMovement } from '../../db/entities/credit.ts';
import { type Buyer, Document } from '../../db/entities/document.ts';
import { Invoice, type InvoiceEntity } from '../../db/entities/invoice.ts';
import { PaymentAttempt, type PaymentAttemptRecord } from '../../db/entities/payment.ts';
import { PaymentMethod, type PaymentMethodRecord } from '../../db/entities/payment-method.ts';
import type { Seller } from '../../db/entities/vendor.ts';
import { WalletTransaction } from '../../db/entities/wallet.ts';
import { timePart } from '../../db/id.ts';
import { leftAfterUse } from '../../db/sql/credit/left-after-use.ts';
import { linesOfInvoices } from '../../db/sql/invoice/read-lines.ts';
import { notesOf, readNote, type WrittenCreditNote } from '../credit-note/read.ts';

/** The parties as they were when the document was made. */
export interface Parties {
  seller: Seller;
  buyer: Buyer;
}

export interface InvoiceHead {
  kind: 'invoice';
  id: string;
  customerId: string;
  number: string;
  /** its contract; null: none */
  reference: string | null;
  date: Instant;
  dueDate: Instant;
  currency: Currency;
  total: string;
  /** a draft isn't final yet, and its print isn't stored */
  state: 'final' | 'draft' | 'void';
  account: Account;
}

export interface InvoiceDocument extends InvoiceHead, Parties {
  lines: ChargedLine[];
  /** what was left of prepaid credits when they last paid something of it; null: they have paid nothing */
  creditsLeft: string | null;
}

/** Money that came in for an invoice. */
export interface Receipt {
  at: Instant;
  amount: string;
  /** `wallet`, `manual` for what the vendor recorded, or what was charged */
  by: 'credits' | 'wallet' | 'manual' | MethodType;
  details: MethodDetails | null;
  /** what the vendor gave with a payment recorded by hand */
  reference: string | null;
}

/** What has happened to an invoice since it was made. */
export interface Account {
  receipts: Receipt[];
  notes: WrittenCreditNote[];
  /** paid beyond what was due, and moved to the wallet */
  surplus: string;
  amountDue: string;
}

export interface CreditNoteDocument extends Parties {
  kind: 'credit_note';
  note: WrittenCreditNote;
  invoiceNumber: string;
  invoiceDate: Instant;
}

/** What an invoice says of itself, without its lines; null when the vendor has no such invoice. */
export async function invoiceHead(em: EntityManager, vendorId: string, id: string): Promise<InvoiceHead | null> {
  const invoice = await em.findOne(Invoice, { id, vendorId });
  if (invoice === null) return null;
  const { number, customerId, contractId: reference, date, dueDate, currency, total, validatedAt, voidedAt } = invoice;
  const state = voidedAt !== null ? 'void' : validatedAt === null ? 'draft' : 'final';
  return {
    kind: 'invoice',
    id,
    customerId,
    number,
    reference,
    date,
    dueDate,
    currency,
    total,
    state,
    account: await accountOf(em, invoice),
  };
}

/** All that stands on a printed invoice; null when the vendor has no such invoice. */
export async function invoiceDocument(db: Database, vendorId: string, id: string): Promise<InvoiceDocument | null> {
  const em = db.em();
  const head = await invoiceHead(em, vendorId, id);
  if (head === null) return null;
  const lines = await linesOfInvoices(db, [id]);
  const isPaidByCredits = head.account.receipts.some(({ by }) => by === 'credits');
  const creditsLeft = isPaidByCredits ? await leftAfterUse(db, head) : null;
  return { ...head, ...(await partiesOf(em, id)), lines: lines.get(id) ?? [], creditsLeft };
}

async function accountOf(em: EntityManager, { id, total, amountDue }: InvoiceEntity): Promise<Account> {
  const receipts = await receiptsOf(em, id);
  const notes = await notesOf(em, [id]);
  const settled = sum([...receipts.map(({ amount }) => dec(amount)), ...notes.map(({ reduced }) => dec(reduced))]);
  return { receipts, notes, surplus: settled.minus(dec(total).minus(amountDue)).toFixed(), amountDue };
}

/** What prepaid credits, the wallet and the methods have paid, in the order in which it came in. */
async function receiptsOf(em: EntityManager, invoiceId: string): Promise<Receipt[]> {
  const fromWallet = await em.find(WalletTransaction, { invoiceId, kind: 'payment' });
  const byCredits = await em.find(CreditMovement, { invoiceId, kind: 'used' });
  const attempts = await em.find(PaymentAttempt, { invoiceId, status: 'succeeded' });
  const methods = await em.find(PaymentMethod, { id: { $in: attempts.flatMap(({ methodId }) => methodId ?? []) } });
  const methodOf = new Map(methods.map((method) => [method.id, method]));
  const found = [
    ...byCredits.map(({ id, at, amount }) => ({ id, at, amount: dec(amount).neg().toFixed(), by: 'credits' as const, ...BY_NOBODY })),
    ...fromWallet.map(({ id, at, amount }) => ({ id, at, amount: dec(amount).neg().toFixed(), by: 'wallet' as const, ...BY_NOBODY })),
    ...attempts.map((attempt) => ({ id: attempt.id, ...receiptOf(attempt, methodOf.get(attempt.methodId ?? '') ?? null) })),
  ];
  found.sort((one, other) => one.at - other.at || (timePart(one.id) < timePart(other.id) ? -1 : 1));
  return found.map(({ id: _id, ...receipt }) => receipt);
}

const BY_NOBODY = { details: null, reference: null };

const receiptOf = ({ ended, created, amount, reference }: PaymentAttemptRecord, method: PaymentMethodRecord | null): Receipt => {
  const at = ended ?? created;
  return method === null
    ? { at, amount, by: 'manual', details: null, reference }
    : { at, amount, by: method.type, details: method.details, reference: null };
};

/** All that stands on a printed credit note of an invoice. */
export async function creditNoteDocument(
  em: EntityManager,
  vendorId: string,
  invoiceId: string,
  id: string,
): Promise<CreditNoteDocument | null> {
  const note = await readNote(em, vendorId, id);
  if (note === null || note.invoiceId !== invoiceId) return null;
  const invoice = await em.findOneOrFail(Invoice, { id: invoiceId });
  return { kind: 'credit_note', ...(await partiesOf(em, id)), note, invoiceNumber: invoice.number, invoiceDate: invoice.date };
}

async function partiesOf(em: EntityManager, id: string): Promise<Parties> {
  const made = await em.findOne(Document, { id });
  if (made === null) throw new Error(`${id} was made without its parties`);
  return { seller: made.seller, buyer: made.buyer };
}
