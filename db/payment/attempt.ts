import type { EntityManager } from '@mikro-orm/postgresql';
import { PaymentAttempt, type PaymentAttemptRecord } from '../entities/payment.ts';
import { FOR_UPDATE } from '../sql/lock.ts';

/** One try to pay an invoice, as it stands in the database. */
export type Attempt = PaymentAttemptRecord;

export const attemptById = (em: EntityManager, id: string): Promise<Attempt | null> => em.findOne(PaymentAttempt, { id });

/** The same as it is now, locked until the transaction ends. */
export const lockAttempt = (em: EntityManager, id: string): Promise<Attempt | null> => em.findOne(PaymentAttempt, { id }, FOR_UPDATE);

/** The open attempt of an invoice: its lease. */
export const openAttempt = (em: EntityManager, invoiceId: string): Promise<Attempt | null> =>
  em.findOne(PaymentAttempt, { invoiceId, status: 'processing' }, FOR_UPDATE);
