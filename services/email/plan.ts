import type { Instant } from '../../billing/calendar/instant.ts';
import type { DomainEvent } from '../../billing/contract/types.ts';
import { cardReminderAt } from '../../billing/payment/card-reminder.ts';
import type { MethodDetails } from '../../billing/payment/types.ts';
import type { Tx } from '../../db/transaction.ts';
import { type NewEmail, queueEmails, queueRows } from './queue.ts';

/**
 * Queues the e-mail about the end of each trial of which an event is a reminder.
 *
 * @param events of all kinds, each with the customer of its contract
 */
export async function emailTrialEnds(tx: Tx, events: readonly (DomainEvent & { customerId: string })[]): Promise<void> {
  const emails = events.flatMap(({ type, objectId, customerId, data }): NewEmail[] =>
    type === 'v1.trial.ending'
      ? [{ customerId, kind: 'trial_ending', objectId, occasion: String(data.at), detail: { at: Number(data.at) } }]
      : [],
  );
  await queueEmails(tx, emails);
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
