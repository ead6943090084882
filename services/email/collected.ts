import type { EntityManager } from '@mikro-orm/postgresql';
import { Agenda } from '../../db/entities/agenda.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';

/**
 * Whether an invoice is collected automatically: its payment is planned, or an attempt is under way. Its customer has
 * nothing to do then, and every e-mail says so.
 */
export async function isCollected(em: EntityManager, invoiceId: string): Promise<boolean> {
  const planned = await em.count(Agenda, { kind: { $in: ['payment_due', 'payment_retry'] }, subject: invoiceId });
  return planned > 0 || (await em.count(PaymentAttempt, { invoiceId, status: 'processing' })) > 0;
}
