import { Refusal } from '../../billing/refusal.ts';
import { baseOf, isShare, type UsageAlert } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { UsageAlertReached, UsageAlertRecord } from '../../db/entities/usage-alert.ts';
import { newId } from '../../db/id.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { noteWatched } from '../../db/sql/customer/note-watched.ts';
import { limitsOf } from '../../db/sql/usage/list-limits.ts';
import { maximumUnits } from '../../db/sql/usage/maximum-units.ts';
import { lockCustomer } from '../customer/lock.ts';
import { tellReachedAlready } from '../usage/reached.ts';

/** Each one is looked at with every event of the customer. */
const MOST_ALERTS = 50;

/** An alert as it is asked for. */
export type NewAlert = Omit<UsageAlert, 'id'> & { vendorId: string };

/**
 * Sets an alert. The customer is locked for an update, as for a limit: events under way are counted first, and each
 * later one finds the alert. What is reached already is announced now.
 *
 * @returns its id
 * @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`, `too_many_alerts`, `invalid_request`
 */
export async function setAlert(tx: Tx, { vendorId, ...alert }: NewAlert): Promise<string> {
  const customer = await lockCustomer(tx, vendorId, alert.customerId, { lock: 'update' });
  if ((await tx.em.count(UsageAlertRecord, { customerId: customer.id })) >= MOST_ALERTS)
    throw new Refusal('too_many_alerts', `A customer has at most ${MOST_ALERTS} alerts.`);
  await requireBase(tx, alert);
  const id = newId('Alert');
  tx.em.create(UsageAlertRecord, { id, ...alert, steps: [...alert.steps], created: customer.now });
  await tx.em.flush();
  await noteWatched(tx, customer.id);
  await tellReachedAlready(tx, customer, alert.slug);
  return id;
}

/** Refuses steps in percent where there is nothing to take a percentage of: they would never be reached. */
async function requireBase(tx: Tx, { customerId, on, slug, steps }: Omit<NewAlert, 'vendorId'>): Promise<void> {
  if (!steps.some(isShare)) return;
  const sold = slug === null ? [] : (await activeContracts(tx, customerId)).map(({ id: contractId }) => ({ contractId, slug }));
  const maximum = (await maximumUnits(tx, sold)).find((units) => units !== null) ?? null;
  if (baseOf({ on, slug }, await limitsOf(tx, [customerId]), maximum) !== null) return;
  const what = on === 'usage' ? 'a limit of units in the window period, or maximum_units in the price' : 'a limit of the same money';
  throw new Refusal('invalid_request', 'there is nothing that the alert could be a share of', { at: `a percentage needs ${what}` });
}

/** @throws Refusal `customer_not_found`, `customer_frozen`, `clock_advancing`, `alert_not_found` */
export async function deleteAlert(tx: Tx, vendorId: string, customerId: string, id: string): Promise<void> {
  const customer = await lockCustomer(tx, vendorId, customerId, { lock: 'update' });
  if ((await tx.em.nativeDelete(UsageAlertRecord, { id, customerId: customer.id })) === 0)
    throw new Refusal('alert_not_found', `The customer has no alert ${id}.`);
  await tx.em.nativeDelete(UsageAlertReached, { watchId: id });
  await noteWatched(tx, customer.id);
}
