import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';

/**
 * When an invoice is collected automatically: when its payment is planned, or when the attempt began that is under way.
 * Its customer has nothing to do then, and every e-mail says so. Null: it isn't.
 */
export async function collectionOf(em: EntityManager, invoiceId: string): Promise<Instant | null> {
  const attempt = await em.findOne(PaymentAttempt, { invoiceId, status: 'processing' }, { fields: ['created'] });
  if (attempt !== null) return attempt.created;
  const planned = { kind: { $in: ['payment_due', 'payment_retry'] }, subject: invoiceId };
  return (await em.findOne(Agenda, planned, { fields: ['dueAt'] }))?.dueAt ?? null;
}
