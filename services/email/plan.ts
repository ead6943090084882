import { DAY, type Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { trialEndOf } from '../../billing/contract/period/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { MethodDetails } from '../../billing/payment/types.ts';
import type { EmailRow } from '../../db/sql/email/queue.ts';
import type { Tx } from '../../db/transaction.ts';
import { queueRows } from './queue.ts';

/** So long before its end a customer is written about a trial. */
const BEFORE_TRIAL_END = 3 * DAY;

/** When to write about the end of a trial; null where there is none, and while a freeze makes it unknown. */
export function trialReminderAt(contract: Contract, pauses: readonly Pause[]): Instant | null {
  if (contract.status !== 'active' || contract.start !== null || contract.isSuccessor) return null;
  const end = trialEndOf(contract, pauses);
  return end === null ? null : end - BEFORE_TRIAL_END;
}

/**
 * Plans the e-mail about the end of each contract's trial. A time that has passed isn't made up for, and what is
 * planned is looked at again when it is due.
 */
export async function planTrialEmails(
  tx: Tx,
  known: readonly { contract: Contract; pauses: readonly Pause[] }[],
  now: Instant,
): Promise<void> {
  const rows = known.flatMap(({ contract, pauses }): EmailRow[] => {
    const dueAt = trialReminderAt(contract, pauses);
    const { id, customerId } = contract;
    return dueAt === null || dueAt <= now ? [] : [{ customerId, kind: 'trial_reminder', subject: id, detail: { contract_id: id }, dueAt }];
  });
  await queueRows(tx, rows);
}

/** The first of the month in which a card can be used for the last time, in UTC; null where that isn't known. */
export function cardReminderAt({ expMonth, expYear }: MethodDetails): Instant | null {
  return expMonth === null || expYear === null ? null : Date.UTC(expYear, expMonth - 1, 1);
}

/** Plans the e-mail about a card that pays automatically and will expire. */
export async function planCardEmail(
  tx: Tx,
  customerId: string,
  method: { id: string; details: MethodDetails } | null,
  now: Instant,
): Promise<void> {
  const dueAt = method === null ? null : cardReminderAt(method.details);
  if (method === null || dueAt === null || dueAt <= now) return;
  await queueRows(tx, [{ customerId, kind: 'card_reminder', subject: method.id, detail: { method_id: method.id }, dueAt }]);
}
