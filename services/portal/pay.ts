import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { CustomerState } from '../../billing/lifecycle/customer.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { PaymentAttempt, type PaymentAttemptRecord } from '../../db/entities/payment.ts';
import { NEVER_MADE } from '../../db/payment/never-made.ts';
import { loweredByNotes } from '../../db/sql/invoice/lowered-by-notes.ts';
import { listMethods, type Method } from '../payment/method.ts';
import { payOnRequest } from '../payment/pay.ts';
import { waitsForCustomer } from '../payment/second-step.ts';
import { foreseePayments } from '../wallet/foresee.ts';
import type { PortalVisitor } from './token.ts';

/** A payment of an invoice as its customer sees it; `method` is null when it was removed since. */
interface SeenPayment {
  id: string;
  at: Instant;
  amount: string;
  method: Method | null;
}

/** All that a customer decides on when it pays an invoice. */
export interface PayableInvoice {
  id: string;
  number: string;
  date: Instant;
  dueDate: Instant;
  currency: Currency;
  total: string;
  amountDue: string;
  /** what credit notes have lowered it by: nobody has paid that */
  credited: string;
  isPaid: boolean;
  /** what prepaid credits and the wallet will pay of it first, and what is left then */
  fromCredits: string;
  fromWallet: string;
  toPay: string;
  /** the payment under way, and whether the customer has to confirm it at the bank */
  underWay: (SeenPayment & { waitsForCustomer: boolean }) | null;
  /** why the last payment failed, while nothing has been paid since */
  failure: (SeenPayment & { reason: string }) | null;
  /** those that can be charged */
  methods: Method[];
  customerStatus: CustomerState;
}

/** Invoices that can be paid or were; drafts and void ones aren't shown. */
const SHOWN = ['ready_for_payment', 'paid'] as const;

/** An invoice of the visitor with what there is to pay; null when the visitor has none with this id. */
export async function payableInvoice(db: Database, visitor: PortalVisitor, invoiceId: string): Promise<PayableInvoice | null> {
  const { vendorId, customerId } = visitor;
  const em = db.em();
  const invoice = await em.findOne(Invoice, { id: invoiceId, vendorId, customerId, status: { $in: [...SHOWN] } });
  const customer = await readCustomer(em, vendorId, customerId);
  if (invoice === null || customer === null) return null;
  const all = await listMethods(em, vendorId, customerId);
  const last = await lastAttempt(em, invoiceId);
  const isPaid = invoice.status === 'paid';
  const { id, number, date, dueDate, currency, total, amountDue } = invoice;
  return {
    ...{ id, number, date, dueDate, currency, total, amountDue, isPaid, credited: await loweredByNotes(db, id) },
    ...(isPaid
      ? { fromCredits: moneyText('0', currency), fromWallet: moneyText('0', currency), toPay: moneyText('0', currency) }
      : await afterCredits(db, invoice)),
    underWay: last?.status === 'processing' ? { ...seen(last, all), waitsForCustomer: waitsForCustomer(last) } : null,
    failure: last?.status === 'failed' && !isPaid ? { ...seen(last, all), reason: last.reason ?? 'declined' } : null,
    methods: all.filter(({ status }) => status === 'active'),
    customerStatus: customer.status,
  };
}

/** The newest attempt that reached its provider or may still do so. */
export const lastAttempt = (em: EntityManager, invoiceId: string): Promise<PaymentAttemptRecord | null> =>
  em.findOne(
    PaymentAttempt,
    { invoiceId, $or: [{ reason: null }, { reason: { $nin: [...NEVER_MADE] } }] },
    { orderBy: { created: 'desc', id: 'desc' } },
  );

function seen({ id, created, amount, methodId }: PaymentAttemptRecord, methods: readonly Method[]): SeenPayment {
  return { id, at: created, amount, method: methods.find((method) => method.id === methodId) ?? null };
}

async function afterCredits(
  db: Database,
  { id, customerId, currency, amountDue }: { id: string; customerId: string; currency: Currency; amountDue: string },
): Promise<{ fromCredits: string; fromWallet: string; toPay: string }> {
  const payment = (await foreseePayments(db, { customerId, currency })).get(id);
  const zero = moneyText('0', currency);
  const { fromCredits = zero, fromWallet = zero, remaining = amountDue } = payment ?? {};
  return { fromCredits, fromWallet, toPay: moneyText(remaining, currency) };
}

/** What a customer has decided: by which method, and at most how much. */
export interface CustomerPayment {
  /** null: the default one */
  methodId: string | null;
  atMost: string;
  returnUrl: string;
}

/**
 * Pays an invoice of the visitor.
 *
 * @returns the attempt that was opened; null when the wallet has paid all of it
 * @throws Refusal `invoice_not_found`, `payment_method_not_found`, and what else `payOnRequest` refuses
 */
export async function payAsCustomer(
  tx: Tx,
  { vendorId, customerId }: PortalVisitor,
  invoiceId: string,
  { methodId: method, atMost, returnUrl }: CustomerPayment,
  requireProvider: (name: ProviderName) => void,
): Promise<string | null> {
  if ((await tx.em.count(Invoice, { id: invoiceId, vendorId, customerId })) === 0)
    throw new Refusal('invoice_not_found', 'there is no such invoice');
  // `manual` would note a payment that nobody has made: only the vendor may say so
  if (method === 'manual') throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  return payOnRequest(tx, vendorId, invoiceId, { method, reference: null, returnUrl, atMost }, requireProvider);
}
