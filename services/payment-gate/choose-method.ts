import { Agenda } from '../../db/entities/agenda.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

/**
 * Has a customer's open gates paid by another method: a payment that waits for its customer is given up at its
 * provider, and the other method is charged. One that can't be given up goes on, and nothing is charged twice. The
 * caller has locked the customer `for update`.
 */
export async function payGatesBy(tx: Tx, customerId: string, methodId: string): Promise<void> {
  const { em } = tx;
  const gates = await em.find(
    PaymentGate,
    { customerId, status: 'waiting', methodId: { $ne: methodId } },
    { ...FOR_UPDATE, orderBy: { contractId: 'asc' } },
  );
  for (const gate of gates) {
    const { contractId } = gate;
    gate.methodId = methodId;
    await em.flush();
    const attempt = await em.findOne(PaymentAttempt, { gateId: contractId, status: 'processing' }, FOR_UPDATE);
    if (attempt === null) continue;
    attempt.askAt = null;
    await em.flush();
    await em.nativeDelete(Agenda, { kind: 'payment_answer', subject: contractId });
    enqueue(tx, 'payment', attempt.id);
  }
}
