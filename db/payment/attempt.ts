import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { PaymentAttempt, type PaymentAttemptRecord } from '../entities/payment.ts';

/** One try to pay an invoice, as it stands in the database. */
export type Attempt = PaymentAttemptRecord;

export const attemptById = (em: EntityManager, id: string): Promise<Attempt | null> => em.findOne(PaymentAttempt, { id });

/** The same as it is now, held until the transaction ends. */
export const lockAttempt = (em: EntityManager, id: string): Promise<Attempt | null> =>
  em.findOne(PaymentAttempt, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });

/** The open attempt of an invoice: its lease. */
export const openAttempt = (em: EntityManager, invoiceId: string): Promise<Attempt | null> =>
  em.findOne(PaymentAttempt, { invoiceId, status: 'processing' }, { lockMode: LockMode.PESSIMISTIC_WRITE });
