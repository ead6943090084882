import type { Instant } from '../../billing/calendar/instant.ts';
import type { ProviderName } from '../../billing/payment/types.ts';
import { nowOf } from '../clock/now.ts';
import type { Tx } from '../connect.ts';
import { publish } from '../event/publish.ts';
import { settleWallets, turnsOfCustomer } from '../wallet/settle.ts';
import { insertAttempt, openAttempt } from './attempt.ts';
import { type Candidate, candidates } from './candidate.ts';
import { type HeldInvoice, holdInvoice, ownerOf } from './held-invoice.ts';

/** What the workflow of an invoice does next. `clockId` not null: its clock decides when, not the wall. */
export type Claimed =
  | { todo: 'charge'; attemptId: string; fence: number }
  | { todo: 'wait'; until: Instant; clockId: string | null; why: string }
  | { todo: 'nothing' };

export type KeyOf = (provider: ProviderName) => (attemptId: string) => string;

/**
 * Finds the next thing to do for an invoice and takes it: the attempt under way, whose fence is raised so that whoever worked on it before
 * is out, or a new attempt for what is due. The wallet pays first.
 */
export async function claimPayment(tx: Tx, invoiceId: string, keyOf: KeyOf): Promise<Claimed> {
  const owner = await ownerOf(tx, invoiceId);
  if (owner === null) return { todo: 'nothing' };
  await tx.query('select id from customer where id = $1 for key share', [owner.customerId]);
  const now = await nowOf(tx, owner.clockId);
  const under = await openAttempt(tx, invoiceId);
  if (under !== null)
    return under.askAt !== null && under.askAt > now ? waitFor(under.askAt, owner.clockId, 'payment_answer') : takeOver(tx, under);

  const due = await nextRow(tx, invoiceId);
  if (due === null) return { todo: 'nothing' };
  if (due.dueAt > now) return waitFor(due.dueAt, owner.clockId, due.kind);
  return begin(tx, invoiceId, now, keyOf);
}

const waitFor = (until: Instant, clockId: string | null, why: string): Claimed => ({ todo: 'wait', until, clockId, why });

async function takeOver(tx: Tx, { id }: { id: string }): Promise<Claimed> {
  const [row] = await tx.query<{ fence: number }>(
    'update payment_attempt set fence = fence + 1, ask_at = null where id = $1 returning fence',
    [id],
  );
  if (row === undefined) throw new Error(`payment attempt ${id} is gone`);
  await tx.query(`delete from agenda where kind = 'payment_answer' and subject = (select invoice_id from payment_attempt where id = $1)`, [
    id,
  ]);
  return { todo: 'charge', attemptId: id, fence: row.fence };
}

async function nextRow(tx: Tx, invoiceId: string): Promise<{ kind: string; dueAt: Instant } | null> {
  const [row] = await tx.query<{ kind: string; dueAt: Instant }>(
    `select kind, due_at as "dueAt" from agenda where kind in ('payment_due', 'payment_retry') and subject = $1 order by due_at limit 1`,
    [invoiceId],
  );
  return row ?? null;
}

/** Everything is looked at again under the invoice's lock: the customer, the method, what the wallet has left to pay. */
async function begin(tx: Tx, invoiceId: string, now: Instant, keyOf: KeyOf): Promise<Claimed> {
  const [before] = await candidates(tx, [invoiceId]);
  if (before?.collectable) await settleWallets(tx, await turnsOfCustomer(tx, before.vendorId, before.customerId, now));
  const invoice = await holdInvoice(tx, invoiceId);
  const [candidate] = await candidates(tx, [invoiceId]);
  await tx.query(`delete from agenda where kind in ('payment_due', 'payment_retry') and subject = $1`, [invoiceId]);
  if (invoice === null || candidate === undefined || !candidate.collectable || candidate.method === null) return { todo: 'nothing' };
  const attemptId = await openForCharge(tx, { invoice, method: candidate.method, origin: 'automatic', now, keyOf });
  return { todo: 'charge', attemptId, fence: 1 };
}

interface OpenCharge {
  invoice: HeldInvoice;
  method: NonNullable<Candidate['method']>;
  origin: 'automatic' | 'request';
  now: Instant;
  keyOf: KeyOf;
}

/** Opens the one attempt of an invoice that is held. From here on nothing else pays it until the attempt has ended. */
export async function openForCharge(tx: Tx, { invoice, method, origin, now, keyOf }: OpenCharge): Promise<string> {
  const { vendorId, customerId, clockId, currency, amountDue: amount } = invoice;
  const attemptId = await insertAttempt(tx, {
    ...{ vendorId, customerId, invoiceId: invoice.id, clockId, currency, amount },
    ...{ methodId: method.id, provider: method.provider, origin, created: now, keyOf: keyOf(method.provider) },
  });
  await tx.query(`update invoice set deposit_transaction_status = 'processing' where id = $1`, [invoice.id]);
  const data = { payment_id: attemptId, customer_id: customerId, payment_method_id: method.id, amount, currency };
  await publish(tx, [{ vendorId, type: 'v1.payment.started', objectId: invoice.id, at: now, data }]);
  return attemptId;
}
