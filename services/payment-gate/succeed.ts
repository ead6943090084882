import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import { Refusal } from '../../billing/refusal.ts';
import { count } from '../../db/counted.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import type { PaymentGateRecord } from '../../db/entities/payment-gate.ts';
import { mayPass } from '../../db/fault.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { updateAttempt } from '../../db/sql/payment/update-attempt.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import { sendLast, type Tx } from '../../db/transaction.ts';
import { planThresholdLooks } from '../contract/plan-threshold.ts';
import { expireGrants } from '../credit/expire.ts';
import { queueEmails } from '../email/queue.ts';
import type { GatePayment } from '../invoice/gate-payment.ts';
import { bookPayment } from '../payment/book.ts';
import { settleWallets } from '../wallet/settle.ts';
import { closePaidGate } from './close.ts';
import { askAboutAttempts, endGate } from './end.ts';
import { actOf, type GatedAct, lockGateRow } from './gate.ts';
import { makeChange } from './make-change.ts';
import { makeContract } from './make-contract.ts';

/**
 * Does what the payment of an open gate was for: the change or the contract, the invoices with their numbers and their
 * payment, all in this transaction. Where the rule now refuses, nothing of it is done, the gate ends and the money goes
 * to the wallet; so it does where a fault of ours prevents it, which is then reported. What may pass is thrown.
 */
export async function succeedGate(tx: Tx, gate: PaymentGateRecord, attempt: Attempt, reference: string, now: Instant): Promise<void> {
  const act = actOf(gate);
  if (act === null) throw new Error(`the open gate of ${gate.contractId} has no basis`);
  try {
    await inSavepoint(tx, () => makePaid(tx, gate, act, { attempt, reference, now }));
  } catch (error) {
    if (isPassing(error)) throw error;
    const { contractId } = gate;
    if (!(error instanceof Refusal)) tx.faults.push({ text: 'a paid change was not made', about: { payment_gate: contractId }, error });
    // the entities that were read before the part are forgotten
    const again = await lockGateRow(tx, contractId);
    if (again === null) throw error;
    await endGate(tx, again, { how: 'dropped', reason: error instanceof Refusal ? error.code : 'rule_failed', at: now });
    await giveToWallet(tx, attempt, reference, { now, frozen: false });
  }
}

/** What another try may find otherwise: nothing is written, so that the outcome is recorded again. */
const isPassing = (error: unknown): boolean =>
  mayPass(error) || error instanceof CatchingUp || (error instanceof Refusal && error.retryAfter !== undefined);

interface Money {
  attempt: Attempt;
  reference: string;
  now: Instant;
}

async function makePaid(tx: Tx, gate: PaymentGateRecord, act: GatedAct, { attempt, reference, now }: Money): Promise<void> {
  const { invoiceId, fromWallet, holds } = gate;
  await closePaidGate(tx, gate, now);
  const transactionId = await bookPayment(tx, { ...attempt, invoiceId }, now);
  const payment: GatePayment = {
    fromWallet,
    holds,
    charged: { invoiceId, amount: attempt.amount, transactionId, occasion: attempt.id },
    at: now,
  };
  if (act.kind === 'change') await makeChange(tx, gate, act, payment);
  else await makeContract(tx, act, payment);
  // the attempt refers to its invoice, which is written last
  await sendLast(tx);
  await updateAttempt(tx, attempt.id, { ...succeeded(attempt, reference, now), ledgerTransactionId: transactionId, invoiceId });
  count(tx, 'payments', { provider: attempt.provider, outcome: 'succeeded' });
  // what was held of a grant whose life has ended meanwhile had not expired
  if (holds.length > 0) await expireGrants(tx, [attempt], now, { notBefore: now });
  await planThresholdLooks(tx, heldBack(gate.contractId, act), now);
  // an attempt that had been given up may have paid it: then that of the other method isn't wanted any more
  await askAboutAttempts(tx, [gate]);
  const { contractId } = await tx.em.findOneOrFail(Invoice, { id: invoiceId }, { fields: ['contractId'], disableIdentityMap: true });
  await publish(tx, [succeededEvent(attempt, { objectId: invoiceId, contractId }, now)]);
  await queueEmails(tx, [{ customerId: attempt.customerId, kind: 'receipt', objectId: invoiceId }]);
}

/** Contracts whose usage may have come to an invoice threshold meanwhile; a changed contract hands its own on. */
function heldBack(contractId: string, act: GatedAct): string[] {
  if (act.kind === 'sign') return [contractId];
  const { contract } = act.basis.snapshot;
  return hasThreshold(contract) ? [contractId, contract.id] : [];
}

/** Money that came after the gate's end, or for what can't be made any more, is the customer's. */
export async function giveToWallet(
  tx: Tx,
  attempt: Attempt,
  reference: string,
  { now, frozen }: { now: Instant; frozen: boolean },
): Promise<void> {
  const { id, vendorId, customerId, currency, amount } = attempt;
  const transactionId = await bookPayment(tx, { ...attempt, invoiceId: null }, now);
  await updateAttempt(tx, id, { ...succeeded(attempt, reference, now), ledgerTransactionId: transactionId });
  count(tx, 'payments', { provider: attempt.provider, outcome: 'succeeded' });
  await publish(tx, [succeededEvent(attempt, { objectId: customerId, contractId: null }, now)]);
  const credit = {
    amount,
    description: 'Payment that came too late',
    invoiceId: null,
    kind: 'refund' as const,
    occasion: `late:${id}`,
    at: now,
  };
  await settleWallets(tx, [{ vendorId, customerId, currency, at: now, credits: [credit], newInvoices: [], pays: !frozen }]);
}

const succeeded = (attempt: Attempt, reference: string, now: Instant) => ({
  status: next(paymentAttemptMachine, attempt.status, 'confirm'),
  reason: null,
  reference,
  askAt: null,
  ended: now,
});

/** Its object is the invoice that was paid, or the customer where the money paid none. */
function succeededEvent(
  { id, vendorId, customerId, methodId, amount, currency }: Attempt,
  paid: { objectId: string; contractId: string | null },
  at: Instant,
): PublishedEvent {
  const data = { payment_id: id, customer_id: customerId, payment_method_id: methodId, amount, currency };
  return { ...paid, vendorId, type: 'v1.payment.succeeded', at, data };
}
