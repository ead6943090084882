import type { Instant } from '../../billing/calendar/instant.ts';
import { planFreeze, planUnfreeze } from '../../billing/contract/advance/freeze.ts';
import type { ContractSnapshot, NewId, Outcome } from '../../billing/contract/types.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import type { Tx } from '../../db/connect.ts';
import { Customer, CustomerPause } from '../../db/entities/customer.ts';
import { newId } from '../../db/id.ts';
import { contractsToFreeze } from '../../db/sql/customer/contracts-to-freeze.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { applyToBatch } from '../contract/batch.ts';
import { queueEmails } from '../email/queue.ts';
import { planCustomer } from '../payment/plan.ts';
import { dropGatesOfCustomer } from '../payment-gate/end.ts';
import { settleWallets, tasksOfCustomer } from '../wallet/settle.ts';
import { recordHistory } from './history.ts';
import { type LockedCustomer, lockCustomer } from './lock.ts';

/**
 * Freezes a customer: what is due up to now happens first, then all its contracts pause. A contract that can't be
 * advanced or frozen is parked with the reason. Freezing twice changes nothing.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`
 */
export async function freezeCustomer(tx: Tx, vendorId: string, customerId: string, notes: string | null): Promise<void> {
  const customer = await lockCustomer(tx, vendorId, customerId, { lock: 'update', frozen: 'allow' });
  if (takes(customerMachine, customer.status, 'freeze')) await freezeLocked(tx, customer, { notes });
}

/** Why a customer is frozen: with the caller's notes, or because of an invoice that stayed unpaid. */
interface FreezeReason {
  notes: string | null;
  unpaidInvoiceId?: string;
}

/** Freezes a customer that is locked `for update` and not frozen yet. */
export async function freezeLocked(tx: Tx, customer: LockedCustomer, { notes, unpaidInvoiceId }: FreezeReason): Promise<void> {
  const customerId = customer.id;
  await dropGatesOfCustomer(tx, customerId, { reason: 'customer_frozen', at: customer.now, pays: false });
  await applyToContracts(tx, customer, planFreeze);
  const stored = await tx.em.findOneOrFail(Customer, { id: customerId });
  stored.status = next(customerMachine, stored.status, 'freeze');
  stored.frozenAt = customer.now;
  tx.em.create(CustomerPause, { customer: stored, began: customer.now });
  await note(tx, customer, 'frozen', notes, unpaidInvoiceId === undefined ? {} : { reason: 'unpaid', invoice_id: unpaidInvoiceId });
  await planCustomer(tx, customerId);
  await queueEmails(tx, [{ customerId, kind: 'frozen', objectId: customerId, occasion: String(customer.now) }]);
}

/**
 * Activates a customer: completes a registration, or ends a freeze, which moves everything to come by the frozen time.
 * What waited to be collected is collected from now on. Activating an active customer changes nothing.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`
 */
export async function activateCustomer(tx: Tx, vendorId: string, customerId: string, notes: string | null): Promise<void> {
  const customer = await lockCustomer(tx, vendorId, customerId, { lock: 'update', frozen: 'allow' });
  if (!takes(customerMachine, customer.status, 'activate')) return;
  if (customer.status === 'inactive') await endFreeze(tx, customer);
  const stored = await tx.em.findOneOrFail(Customer, { id: customerId });
  stored.status = next(customerMachine, stored.status, 'activate');
  stored.frozenAt = null;
  await note(tx, customer, 'activated', notes);
  await settleWallets(tx, await tasksOfCustomer(tx, vendorId, customerId, customer.now));
  await planCustomer(tx, customerId);
}

async function endFreeze(tx: Tx, customer: LockedCustomer): Promise<void> {
  await applyToContracts(tx, customer, planUnfreeze);
  for (const pause of await tx.em.find(CustomerPause, { customer: customer.id, ended: null })) {
    // a freeze without length is removed, as if it had never been
    if (customer.now <= pause.began) tx.em.remove(pause);
    else pause.ended = customer.now;
  }
}

type Rule = (snapshot: ContractSnapshot, now: Instant, newId: NewId) => Outcome;

/**
 * Applies a rule to every contract that is live or still has usage to close. Parked ones make up for it when they are
 * resumed.
 */
async function applyToContracts(tx: Tx, { id, now }: LockedCustomer, rule: Rule): Promise<void> {
  const contracts = await contractsToFreeze(tx, id);
  const ids = contracts.map((contract) => contract.id);
  await applyToBatch(tx, ids, now, (snapshot) => rule(snapshot, now, newId));
  for (const { chainId } of contracts) enqueue(tx, 'contract', chainId);
}

async function note(
  tx: Tx,
  { id, vendorId, now }: LockedCustomer,
  kind: 'frozen' | 'activated',
  notes: string | null,
  data: Record<string, string> = {},
): Promise<void> {
  await recordHistory(tx, { customerId: id, kind, notes, object: data.invoice_id ?? null, at: now });
  await publish(tx, [{ vendorId, type: `v1.customer.${kind}`, objectId: id, at: now, data }]);
}
