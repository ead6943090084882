import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { askAboutAttempts } from './end.ts';
import { openAttemptOf } from './gate.ts';

/**
 * Lets another method pay a customer's open gates: a payment that waits for its customer is given up at its provider,
 * and the other method is charged. One that can't be given up goes on, and nothing is charged twice. The caller has
 * locked the customer `for update`.
 */
export async function payGatesBy(tx: Tx, customerId: string, methodId: string): Promise<void> {
  const { em } = tx;
  const gates = await em.find(
    PaymentGate,
    { customerId, status: 'waiting', methodId: { $ne: methodId } },
    { ...FOR_UPDATE, orderBy: { contractId: 'asc' } },
  );
  for (const gate of gates) {
    const attempt = await openAttemptOf(tx, gate.contractId, FOR_UPDATE);
    gate.methodId = methodId;
    if (attempt !== null && attempt.methodId !== methodId) gate.givenUpId = attempt.id;
    await em.flush();
    await askAboutAttempts(tx, [gate]);
  }
}
