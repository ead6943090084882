import type { ContractGate } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import type { Tx } from '../../db/transaction.ts';

/**
 * Refuses a change of a contract while the payment of another change of it is being made at this moment: it would end
 * that gate, and the customer would pay for both. A payment that waits for the customer or for a slow provider is in
 * nobody's way: it is given up, or its money goes to the wallet.
 *
 * @throws Refusal `change_in_progress`
 */
export async function requireNotBeingPaid({ em }: Tx, { contractId: gateId }: ContractGate): Promise<void> {
  const underWay = { gateId, status: 'processing' as const, calledAt: { $ne: null }, askAt: null };
  if ((await em.count(PaymentAttempt, underWay)) > 0)
    throw new Refusal('change_in_progress', 'Another change of this contract is being paid.', {}, { retryAfter: 1 });
}
