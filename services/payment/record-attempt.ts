import type { ChargeOutcome } from '../../billing/payment/types.ts';
import { readClock } from '../../db/clock/read.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { attemptById } from '../../db/sql/payment/read-attempt.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { dropAttempt } from './dunning.ts';
import { recordOutcome } from './record.ts';

/** The outcome of an attempt's charge: the provider's, or why the provider wasn't called. */
type Charged = ChargeOutcome | { status: 'ended' } | { status: 'given_up' };

/**
 * Writes the outcome of an attempt and returns the attempt's state afterwards.
 *
 * @param retryDays days after the first failure, unless the vendor has its own
 */
export async function recordAttempt(
  tx: Tx,
  attemptId: string,
  charged: Charged,
  retryDays: readonly number[],
): Promise<Pick<Attempt, 'status'>> {
  if (charged.status === 'given_up') {
    const seen = await attemptById(tx, attemptId);
    if (seen !== null) await dropAttempt(tx, attemptId, await nowOf(tx, seen.clockId));
  } else if (charged.status !== 'ended') await recordOutcome(tx, attemptId, charged, retryDays);
  const attempt = await attemptById(tx, attemptId);
  await signalClock(tx, attempt?.clockId ?? null);
  return { status: attempt?.status ?? 'failed' };
}

/** A clock that is advancing waits for the payments of its instant. */
async function signalClock(tx: Tx, clockId: string | null): Promise<void> {
  const clock = clockId === null ? null : await readClock(tx.em, clockId);
  if (clock?.status === 'advancing') enqueue(tx, 'clock', clock.id);
}
