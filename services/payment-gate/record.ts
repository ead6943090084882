import { HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../billing/lifecycle/payment-attempt.ts';
import type { ChargeOutcome } from '../../billing/payment/types.ts';
import { count } from '../../db/counted.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import type { PaymentGateRecord } from '../../db/entities/payment-gate.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { lockAttempt } from '../../db/sql/payment/lock-attempt.ts';
import { updateAttempt } from '../../db/sql/payment/update-attempt.ts';
import { lockWallets } from '../../db/sql/wallet/lock-wallets.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';
import { advanceBatch } from '../contract/advance.ts';
import { startTopUpsAgain } from '../credit/start-again.ts';
import { readMethod } from '../payment/method.ts';
import { takesOutcome } from '../payment/triggers.ts';
import { endDueGate } from './due.ts';
import { endGate } from './end.ts';
import { lockGate } from './gate.ts';
import { chargeGate } from './open.ts';
import { giveToWallet, succeedGate } from './succeed.ts';

/** An attempt to pay a gate. */
export type AttemptOfGate = Attempt & { gateId: string };

/**
 * Writes what became of the charge of a gate, in any order and any number of times. Money that was taken is always
 * booked, once: while the gate is open it makes the change or the contract, else it goes to the wallet.
 */
export async function recordGateOutcome(tx: Tx, seen: AttemptOfGate, outcome: ChargeOutcome): Promise<void> {
  await bringUpToNow(tx, seen);
  const { gate, attempt, now, frozen } = await lockAll(tx, seen);
  if (!takesOutcome(attempt, outcome)) return;
  if (outcome.status === 'pending') return wait(tx, gate, attempt, outcome, now);
  // the row is that of the open attempt: money of one that had been given up leaves it
  if (attempt.status === 'processing') await tx.em.nativeDelete(Agenda, { kind: 'payment_answer', subject: gate.contractId });
  if (outcome.status === 'failed') return fail(tx, gate, attempt, outcome, { now, frozen });
  if (gate.status === 'waiting') await succeedGate(tx, gate, attempt, outcome.reference, now);
  else await giveToWallet(tx, attempt, outcome.reference, { now, frozen });
  await startTopUpsAgain(tx, attempt);
}

/**
 * A charge that was never made: its gate has ended or waits for another method, or its customer may not be charged any
 * more.
 *
 * @param inactive the reason for the last of these
 */
export async function dropGateAttempt(tx: Tx, seen: AttemptOfGate, inactive: string): Promise<void> {
  const { gate, attempt, now, frozen } = await lockAll(tx, seen);
  if (!takes(paymentAttemptMachine, attempt.status, 'drop') || attempt.calledAt !== null) return;
  const status = next(paymentAttemptMachine, attempt.status, 'drop');
  const reason = gate.status === 'waiting' && gate.methodId === attempt.methodId ? inactive : 'gate_ended';
  await updateAttempt(tx, attempt.id, { status, reason, retryable: true, ended: now });
  count(tx, 'payments', { provider: attempt.provider, outcome: 'dropped' });
  await afterFailure(tx, gate, attempt, { reason, now, frozen });
}

/**
 * What has become due for the contract that is to be changed, or for the gate itself, and what no worker has carried
 * out yet, comes before the money: it may end the gate. On a test clock the clock has done it in its order.
 */
async function bringUpToNow(tx: Tx, { gateId, vendorId, customerId, clockId }: AttemptOfGate): Promise<void> {
  if (clockId !== null) return;
  await lockCustomerRow(tx, vendorId, customerId, 'no key update');
  const gate = await lockGate(tx, gateId);
  if (gate?.status !== 'waiting') return;
  const now = await nowOf(tx, null);
  if (gate.fromContractId !== null) await advanceBatch(tx, [gate.fromContractId], now);
  await endDueGate(tx, gateId, now);
}

interface Locked {
  gate: PaymentGateRecord;
  attempt: AttemptOfGate;
  now: Instant;
  frozen: boolean;
}

/**
 * In the one order: customer, chain, contract, gate, wallet, attempt. The customer against other changes of it: money
 * that comes too late is an event of the customer, and its events are counted one after the other.
 */
async function lockAll(tx: Tx, { id, gateId, vendorId, customerId, currency, clockId }: AttemptOfGate): Promise<Locked> {
  const customer = await lockCustomerRow(tx, vendorId, customerId, 'no key update');
  const gate = await lockGate(tx, gateId);
  await lockWallets(tx, [{ customerId, currency }]);
  const attempt = await lockAttempt(tx, id);
  if (gate === null || attempt === null) throw new Error(`payment attempt ${id} has no gate`);
  return { gate, attempt: { ...attempt, gateId }, now: await nowOf(tx, clockId), frozen: customer?.status === 'inactive' };
}

/**
 * The provider or the customer needs time: the agenda says when the provider is asked again, each hour where it names
 * no time.
 */
async function wait(
  tx: Tx,
  gate: PaymentGateRecord,
  attempt: AttemptOfGate,
  { reference, askAgainAt, reason }: Extract<ChargeOutcome, { status: 'pending' }>,
  now: Instant,
): Promise<void> {
  const askAt = askAgainAt > now ? askAgainAt : now + HOUR;
  // chosen again before its provider could give it up: its own failure ends the gate as any other
  if (gate.methodId === attempt.methodId) gate.givenUpId = null;
  await tx.em.flush();
  await updateAttempt(tx, attempt.id, { reference: reference ?? attempt.reference, askAt, reason: reason ?? null });
  count(tx, 'payments', { provider: attempt.provider, outcome: 'waiting' });
  const { contractId, workflowId, vendorId, customerId, clockId } = gate;
  const detail = { payment_id: attempt.id, contract_id: contractId };
  const whose = { vendorId, customerId, contractId: null, clockId, workflowId, held: false };
  await upsertAgenda(tx, [{ ...whose, kind: 'payment_answer', subject: contractId, dueAt: askAt, detail }]);
  enqueueWaiting(tx, workflowId);
}

async function fail(
  tx: Tx,
  gate: PaymentGateRecord,
  attempt: AttemptOfGate,
  { reference, reason, retryable }: Extract<ChargeOutcome, { status: 'failed' }>,
  { now, frozen }: { now: Instant; frozen: boolean },
): Promise<void> {
  const status = next(paymentAttemptMachine, attempt.status, 'refuse');
  await updateAttempt(tx, attempt.id, { status, reason, retryable, reference: reference ?? attempt.reference, askAt: null, ended: now });
  count(tx, 'payments', { provider: attempt.provider, outcome: 'failed' });
  await afterFailure(tx, gate, attempt, { reason, now, frozen });
}

/**
 * Charges the method that was chosen meanwhile, even if it is the one whose attempt was given up before. If none was
 * chosen, the gate fails with its payment.
 */
async function afterFailure(
  tx: Tx,
  gate: PaymentGateRecord,
  attempt: AttemptOfGate,
  { reason, now, frozen }: { reason: string; now: Instant; frozen: boolean },
): Promise<void> {
  if (gate.status !== 'waiting') return;
  const { vendorId, customerId, methodId, givenUpId } = gate;
  const isRefused = methodId === attempt.methodId && givenUpId !== attempt.id;
  const chosen = isRefused || frozen ? null : await readMethod(tx.em, vendorId, customerId, methodId);
  if (chosen?.status === 'active') await chargeGate(tx, gate, chosen, { now, returnUrl: attempt.returnUrl });
  else await endGate(tx, gate, { how: 'declined', reason, at: now, pays: !frozen });
}
