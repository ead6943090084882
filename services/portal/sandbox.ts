import type { EntityManager } from '@mikro-orm/postgresql';
import { PaymentAttempt, type PaymentAttemptRecord } from '../../db/entities/payment.ts';
import type { PortalVisitor } from './token.ts';

/** The visitor's attempt that the sandbox knows by this key; null when there is none. */
export const sandboxAttempt = (em: EntityManager, visitor: PortalVisitor, key: string): Promise<PaymentAttemptRecord | null> => {
  const { vendorId, customerId } = visitor;
  return em.findOne(PaymentAttempt, { provider: 'sandbox', providerKey: key, vendorId, customerId });
};
