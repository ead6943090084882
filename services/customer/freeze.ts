import type { Instant } from '../../billing/calendar/instant.ts';
import { planFreeze } from '../../billing/contract/advance/freeze.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import type { Tx } from '../../db/connect.ts';
import { Customer, CustomerPause } from '../../db/entities/customer.ts';
import { contractsToFreeze } from '../../db/sql/customer/contracts-to-freeze.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { stopExpiries } from '../credit/freeze.ts';
import { queueEmails } from '../email/queue.ts';
import { planCustomer } from '../payment/plan.ts';
import { dropGatesOfCustomer } from '../payment-gate/end.ts';
import { stopPaying } from '../wallet/rest.ts';
import { endFreezeThatIsOver } from './activate.ts';
import { applyToContracts, noteFreeze } from './freeze-contracts.ts';
import { freezeEndByRule, requireAhead, setFreezeEnd } from './freeze-end.ts';
import { recordHistory } from './history.ts';
import { type LockedCustomer, lockCustomer, requireNotErased } from './lock.ts';

/** How a customer is to be frozen. */
export interface FreezeRequest {
  notes: string | null;
  /** when the freeze ends by itself, null: it doesn't; absent: as the pause rules of the contracts say */
  resumeAt?: Instant | null | undefined;
}

const FOR_FREEZE = { lock: 'update', frozen: 'allow' } as const;

/**
 * Freezes a customer: what is due up to now happens first, then all its contracts pause. A contract that can't be
 * advanced or frozen is parked with the reason. Freezing twice changes at most the instant at which the freeze ends.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`, `past_date`
 */
export async function freezeCustomer(tx: Tx, vendorId: string, customerId: string, { notes, resumeAt }: FreezeRequest): Promise<void> {
  const locked = await lockCustomer(tx, vendorId, customerId, FOR_FREEZE);
  requireNotErased(locked);
  requireAhead(resumeAt, locked);
  // an earlier freeze whose end has come is ended first; its end, carried out later, would also end this one
  const customer = (await endFreezeThatIsOver(tx, locked)) ? await lockCustomer(tx, vendorId, customerId, FOR_FREEZE) : locked;
  if (takes(customerMachine, customer.status, 'freeze')) await freezeLocked(tx, customer, { notes, ends: resumeAt });
  else if (resumeAt !== undefined) await moveFreezeEnd(tx, customer, { notes, ends: resumeAt });
}

async function moveFreezeEnd(
  tx: Tx,
  customer: LockedCustomer,
  { notes, ends }: { notes: string | null; ends: Instant | null },
): Promise<void> {
  await setFreezeEnd(tx, customer, ends);
  await recordHistory(tx, { customerId: customer.id, kind: 'freeze_end_set', notes, at: customer.now });
  for (const { chainId } of await contractsToFreeze(tx, customer.id)) enqueue(tx, 'contract', chainId);
}

/** Why a customer is frozen, with the caller's notes or because of an invoice that stayed unpaid, and how long. */
interface FreezeReason {
  notes: string | null;
  unpaidInvoiceId?: string;
  /** when the freeze ends by itself; null: it doesn't; undefined: as the pause rules say */
  ends: Instant | null | undefined;
}

/** Freezes a customer that is locked `for update` and not frozen yet. */
export async function freezeLocked(tx: Tx, customer: LockedCustomer, { notes, unpaidInvoiceId, ends: given }: FreezeReason): Promise<void> {
  const { id: customerId, now } = customer;
  await dropGatesOfCustomer(tx, customerId, { reason: 'customer_frozen', at: now, pays: false });
  await applyToContracts(tx, customer, planFreeze);
  // contracts that end here, with a gate or because it was due, have no say in it
  const ends = given === undefined ? await freezeEndByRule(tx, customer) : given;
  const stored = await tx.em.findOneOrFail(Customer, { id: customerId });
  stored.status = next(customerMachine, stored.status, 'freeze');
  stored.frozenAt = now;
  tx.em.create(CustomerPause, { customer: stored, began: now });
  await setFreezeEnd(tx, customer, ends);
  await stopExpiries(tx, customerId);
  await stopPaying(tx, customerId);
  const reason = unpaidInvoiceId === undefined ? {} : { reason: 'unpaid', invoice_id: unpaidInvoiceId };
  await noteFreeze(tx, customer, 'frozen', notes, { ...reason, ...(ends === null ? {} : { until: ends }) });
  await planCustomer(tx, customerId);
  await queueEmails(tx, [{ customerId, kind: 'frozen', objectId: customerId, occasion: String(now) }]);
}
