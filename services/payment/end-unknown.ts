import { CANNOT_TELL } from '../../db/payment/cannot-tell.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { attemptById } from '../../db/sql/payment/read-attempt.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockCustomer } from '../customer/lock.ts';
import { recordAttempt } from './record-attempt.ts';

/**
 * Ends an attempt whose provider can't tell what became of it, as failed: an operator has looked at the provider and
 * knows that no money was taken. It isn't charged again by itself. Money that is reported later is booked all the same.
 *
 * @param retryDays days after the first failure, unless the vendor has its own
 * @returns the attempt before, which has ended now only where it was open and its provider couldn't tell
 * @throws Refusal `clock_advancing`
 */
export async function endUnknown(
  tx: Tx,
  { id, vendorId, customerId }: Pick<Attempt, 'id' | 'vendorId' | 'customerId'>,
  retryDays: readonly number[],
): Promise<Pick<Attempt, 'status' | 'reason'> & { isEnded: boolean }> {
  // who writes an outcome locks the customer first
  await lockCustomer(tx, vendorId, customerId, { lock: 'update', frozen: 'allow' });
  const attempt = await attemptById(tx, id);
  if (attempt === null) throw new Error(`there is no payment attempt ${id}`);
  const { status, reason, reference } = attempt;
  const isEnded = status === 'processing' && CANNOT_TELL.includes(reason ?? '');
  if (isEnded) await recordAttempt(tx, id, { status: 'failed', reference, reason: 'ended_by_operator', retryable: false }, retryDays);
  return { status, reason, isEnded };
}
