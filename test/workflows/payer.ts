import { newId } from '../../db/id.ts';
import { concludeSession, insertSession } from '../../services/payment/session.ts';
import { kindOfWaiting } from '../../temporal/message-kinds.ts';
import { send } from '../../temporal/send.ts';
import { eventually } from '../support/eventually.ts';
import { type Kit, TASK_QUEUE } from './kit.ts';

const details = { brand: 'sandbox', last4: '4242', expMonth: 12, expYear: 2099 };

/** A session that is still to be confirmed. */
export async function openSession(kit: Kit, customerId: string, clockId: string | null, created = Date.now()): Promise<string> {
  const token = newId('PSess');
  const owner = { token, vendorId: kit.vendorId, customerId, clockId, created, provider: 'sandbox' as const, reference: token };
  const nothing = { planId: null, pricingId: null, customerReference: null, connectedAccountId: null, publishableKey: null };
  await kit.db.transaction((tx) => insertSession(tx, { ...owner, ...nothing, address: false, detachPrevious: true }));
  return token;
}

/** A sandbox method as if its session had been confirmed; it replaces the one before. */
export async function addMethod(kit: Kit, customerId: string, clockId: string | null, name: string): Promise<void> {
  const token = await openSession(kit, customerId, clockId);
  const method = { reference: `${name}.${token}`, customerReference: null, type: 'card' as const, holderName: null, details };
  await kit.db.transaction((tx) => concludeSession(tx, token, { status: 'succeeded', method }));
}

/** A customer that pays by this method. */
export async function withMethod(kit: Kit, method: string, clockId: string | null = null): Promise<string> {
  const customer = await kit.customer(clockId);
  await addMethod(kit, customer, clockId, method);
  return customer;
}

/** The same with a contract whose first invoice the method is to pay. */
export async function payer(kit: Kit, method: string, clockId: string | null = null): Promise<{ customer: string; contract: string }> {
  const customer = await withMethod(kit, method, clockId);
  return { customer, contract: await kit.sign(customer, await kit.plan('10.00')) };
}

/** The latest attempt to pay a customer's invoice that has this status. */
export const attemptOf = (kit: Kit, customerId: string, status: string, count = 1): Promise<{ id: string; invoice: string }> =>
  eventually(async () => {
    const rows = await kit.db.query<{ id: string; invoice: string }>(
      'select id, invoice_id as invoice from payment_attempt where customer_id = $1 and status = $2 order by created desc',
      [customerId, status],
    );
    const [latest] = rows;
    if (latest === undefined || rows.length < count) throw new Error(`fewer than ${count} attempts are ${status}`);
    return latest;
  });

/** The next retry, or what ends dunning, is in some days: moves it to a few seconds from now. */
export async function hastenRetry(kit: Kit, workflowId: string, kind = 'payment_retry'): Promise<void> {
  const moved = async () => {
    const rows = await kit.db.query(
      `update agenda set due_at = now() + interval '3 seconds' where workflow_id = $1 and kind = $2 returning subject`,
      [workflowId, kind],
    );
    if (rows.length === 0) throw new Error(`no ${kind} waits for ${workflowId}`);
  };
  await eventually(moved);
  await send(kit.client, TASK_QUEUE, { kind: kindOfWaiting(workflowId), workflowId });
}
