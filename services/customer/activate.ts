import type { Instant } from '../../billing/calendar/instant.ts';
import { unshift } from '../../billing/calendar/pauses.ts';
import { planUnfreeze } from '../../billing/contract/advance/freeze.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { Customer, CustomerPause } from '../../db/entities/customer.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { moveRecognised } from '../../db/sql/figure/move-recognised.ts';
import { currenciesWithMoney } from '../../db/sql/wallet/currencies-with-money.ts';
import { askTopUps } from '../credit/ask-top-up.ts';
import { expireGrants } from '../credit/expire.ts';
import { moveLivesByFreeze } from '../credit/freeze.ts';
import { planCustomer } from '../payment/plan.ts';
import { payingTask, settleWallets } from '../wallet/settle.ts';
import { applyToContracts, noteFreeze } from './freeze-contracts.ts';
import { FREEZE_END, setFreezeEnd } from './freeze-end.ts';
import { isFreezeOver } from './freeze-over.ts';
import { type LockedCustomer, lockCustomer, requireNotErased } from './lock.ts';

/**
 * Activates a customer: completes a registration, or ends a freeze, which moves everything to come by the frozen time.
 * What waited to be collected is collected from now on. Activating an active customer changes nothing.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`
 */
export async function activateCustomer(tx: Tx, vendorId: string, customerId: string, notes: string | null): Promise<void> {
  const customer = await lockCustomer(tx, vendorId, customerId, { lock: 'update', frozen: 'allow' });
  requireNotErased(customer);
  // a freeze that was to end by itself before has ended then
  await activateLocked(tx, { ...customer, now: Math.min(customer.now, customer.resumeAt ?? customer.now) }, notes);
}

/**
 * Ends the freeze of a customer that is locked `for update` where its end has come and nobody has carried it out yet.
 *
 * @returns whether it has ended; the customer is to be read again then
 */
export async function endFreezeThatIsOver(tx: Tx, customer: LockedCustomer): Promise<boolean> {
  if (!isFreezeOver(customer)) return false;
  await activateCustomer(tx, customer.vendorId, customer.id, null);
  await tx.em.flush();
  return true;
}

/** Ends the freeze of a customer on the wall clock, if its time has come; a second run finds nothing to do. */
export async function endDueFreeze(db: Database, customerId: string): Promise<void> {
  const now = await nowOf(db, null);
  const row = await db.em().findOne(Agenda, { kind: FREEZE_END, subject: customerId, testClockId: null });
  if (row !== null && row.dueAt <= now) await db.transaction((tx) => carryOutFreezeEnd(tx, row, now), { by: 'timer' });
}

/**
 * Ends a freeze at the instant that was set for it, however late this is carried out: what comes after it happens at
 * its own time. Where the customer was activated, or another instant was set meanwhile, nothing happens; one that was
 * erased stays as it is.
 *
 * @param now on the customer's clock
 */
export async function carryOutFreezeEnd(tx: Tx, { subject: customerId }: { subject: string }, now: Instant): Promise<void> {
  const { vendorId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['vendorId'] });
  const customer = await lockCustomerRow(tx, vendorId, customerId, 'update');
  const row = await tx.em.findOne(Agenda, { kind: FREEZE_END, subject: customerId, dueAt: { $lte: now } });
  if (customer === null || row === null) return;
  if (customer.erasedAt !== null || customer.status !== 'inactive') tx.em.remove(row);
  else await activateLocked(tx, { ...customer, pauses: await readPauses(tx, customerId), now: row.dueAt }, null);
}

/** Activates a customer that is locked `for update`, as of its `now`. */
async function activateLocked(tx: Tx, customer: LockedCustomer, notes: string | null): Promise<void> {
  if (!takes(customerMachine, customer.status, 'activate')) return;
  const { id, vendorId, now } = customer;
  if (customer.status === 'inactive') await endFreeze(tx, customer);
  const stored = await tx.em.findOneOrFail(Customer, { id });
  stored.status = next(customerMachine, stored.status, 'activate');
  stored.frozenAt = null;
  await noteFreeze(tx, customer, 'activated', notes);
  const owners = (await currenciesWithMoney(tx, id)).map((currency) => ({ vendorId, customerId: id, currency }));
  await settleWallets(
    tx,
    owners.map((owner) => payingTask(owner, now)),
  );
  await expireGrants(tx, owners, now);
  await tx.em.flush();
  // only now, since top-ups of a frozen customer aren't asked
  await askTopUps(tx, [{ customerId: id, currency: null }]);
  await planCustomer(tx, id);
}

async function endFreeze(tx: Tx, customer: LockedCustomer): Promise<void> {
  const pauses = await tx.em.find(CustomerPause, { customer: customer.id, ended: null });
  // credits pay what contracts charge now by their lives as the freeze has moved them
  for (const { began } of pauses) await moveLivesByFreeze(tx, customer, Math.min(began, customer.now));
  await applyToContracts(tx, customer, planUnfreeze);
  for (const { began } of pauses.filter((pause) => pause.began < customer.now))
    await moveRecognised(tx, { customerId: customer.id, began, ended: customer.now, since: unshift(began, customer.pauses) });
  for (const pause of pauses) {
    // a freeze without length is removed, as if it had never been
    if (customer.now <= pause.began) tx.em.remove(pause);
    else pause.ended = customer.now;
  }
  await setFreezeEnd(tx, customer, null);
}
