import type { EntityManager } from '@mikro-orm/postgresql';
import { PaymentAttempt, type PaymentAttemptRecord } from '../entities/payment.ts';
import { FOR_UPDATE } from '../sql/lock.ts';

/** The open attempt of an invoice: its lease. */
export const openAttempt = (em: EntityManager, invoiceId: string): Promise<PaymentAttemptRecord | null> =>
  em.findOne(PaymentAttempt, { invoiceId, status: 'processing' }, FOR_UPDATE);
