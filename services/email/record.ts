import { HOUR, type Instant, MINUTE } from '../../billing/calendar/instant.ts';
import { count } from '../../db/counted.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer } from '../../db/entities/customer.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordHistory } from '../customer/history.ts';
import type { QueuedEmail } from './read.ts';

/** How long each further try waits, for three days in all. */
const PAUSES: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, ...Array.from({ length: 12 }, () => 6 * HOUR)];

/** What became of a try: sent, not to be sent any more, or not taken with the reason. */
export type EmailOutcome =
  | { status: 'sent' }
  | { status: 'dropped' }
  | { status: 'without_address' }
  | { status: 'not_taken'; reason: string };

/**
 * Writes what became of a try to send an e-mail: the customer's history names what was sent and what was given up;
 * until then it is tried again after growing pauses.
 *
 * @param now the wall clock's time
 */
export async function recordEmail(tx: Tx, email: QueuedEmail, outcome: EmailOutcome, now: Instant): Promise<void> {
  const { subject, detail } = email;
  if (outcome.status === 'not_taken') {
    const tries = Number(detail.tries ?? 0) + 1;
    const pause = PAUSES[tries - 1];
    if (pause !== undefined) {
      const change = { dueAt: now + pause, detail: { ...detail, tries, reason: outcome.reason } };
      const waiting = await tx.em.nativeUpdate(Agenda, { kind: 'email', subject }, change);
      count(tx, 'emails', { outcome: 'failed' }, waiting);
      return;
    }
  }
  const taken = await tx.em.nativeDelete(Agenda, { kind: 'email', subject });
  if (taken === 0 || outcome.status === 'dropped') return;
  count(tx, 'emails', { outcome: outcome.status === 'sent' ? 'sent' : 'given_up' });
  await noteOutcome(tx, email, outcome);
}

async function noteOutcome(tx: Tx, { customerId, detail }: QueuedEmail, outcome: EmailOutcome): Promise<void> {
  const customer = await tx.em.findOneOrFail(Customer, { id: customerId });
  const kind = outcome.status === 'sent' ? 'email_sent' : 'email_failed';
  const reasons = { sent: '', dropped: '', without_address: ': the customer has no e-mail address', not_taken: '' };
  const reason = outcome.status === 'not_taken' ? `: ${outcome.reason}` : reasons[outcome.status];
  const at = await nowOf(tx, customer.clockId);
  await recordHistory(tx, { customerId, kind, notes: `${String(detail.email)}${reason}`, object: String(detail.object), at });
}
