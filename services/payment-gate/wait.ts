import { Refusal } from '../../billing/refusal.ts';
import type { Database } from '../../db/connect.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { type AwaitPayment, waitForOutcome } from '../payment/pay-and-wait.ts';
import { openAttemptOf } from './gate.ts';

interface Parts {
  db: Database;
  awaitPayment: AwaitPayment;
}

/**
 * Waits for the attempt of a gate as long as a request may, and says what has become of the gate. If the outcome can't
 * be learned in that time, the gate counts as still waiting, and a read of its contract says so.
 *
 * @returns the contract, made by now or waiting
 * @throws Refusal `payment_declined`, `estimate_outdated`
 */
export async function awaitGate({ db, awaitPayment }: Parts, contractId: string, attemptId: string | null): Promise<string> {
  const known = attemptId ?? (await openAttemptOf({ em: db.em() }, contractId).catch(nothing))?.id ?? null;
  if (known !== null) await waitForOutcome(awaitPayment, known).catch(nothing);
  const gate = await db.em().findOne(PaymentGate, { contractId }).catch(nothing);
  if (gate?.status === 'failed')
    throw new Refusal('payment_declined', `The payment was declined (${gate.reason ?? 'declined'}): nothing has changed.`);
  if (gate?.status === 'dropped' || gate?.status === 'expired')
    throw new Refusal(
      'estimate_outdated',
      `Another change of the contract came before this one was paid: ${await whatIsPaid(db, contractId)}`,
    );
  return contractId;
}

async function whatIsPaid(db: Database, gateId: string): Promise<string> {
  const paid = await db.em().count(PaymentAttempt, { gateId, status: 'succeeded' }).catch(nothing);
  return paid === 0 ? 'this request has changed nothing.' : 'the payment for this one is in the customer’s wallet.';
}

const nothing = (): null => null;
