import { type Step, stepsReached, watchOfAlert, watchOfLimit } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { topUpsOf } from '../../db/sql/credit/top-ups-of.ts';
import { alertsOf } from '../../db/sql/usage/list-alerts.ts';
import { limitsOf } from '../../db/sql/usage/list-limits.ts';
import { together } from '../../db/together.ts';
import { askWhereLow } from '../credit/ask-where-low.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { type ReachedStep, tellBalance, tellSteps } from '../usage-alert/tell.ts';
import type { CountedPlace } from './check-limits.ts';
import { keepRooms } from './keep-rooms.ts';
import { appliesTo, windowOf } from './room.ts';
import { type CountedUsage, type Watched, type WatchedValue, type Watching, watchedValues } from './watched-value.ts';

/** What is watched of customers whose usage is counted. */
export async function readWatching(tx: Tx, customerIds: readonly string[]): Promise<Watching> {
  const [limits, alerts, topUps] = await together(tx, [
    () => limitsOf(tx, customerIds),
    () => alertsOf(tx, customerIds),
    () =>
      topUpsOf(
        tx,
        customerIds.map((customerId) => ({ customerId, currency: null })),
      ),
  ]);
  return { limits, alerts, topUps };
}

/**
 * Announces the steps that usage counted in this transaction has reached, each once in a usage period, a day or an
 * hour. The balance of prepaid credits falls with usage, so alerts on it and top-ups are looked at too. An announced
 * step is noted in the same transaction, so it isn't announced again after lower usage, late usage or a change of the
 * contract. The caller has locked the customers against other changes of their usage.
 */
export async function tellReached(tx: Tx, counted: readonly CountedUsage[], watching: Watching): Promise<void> {
  const watches = [
    ...watching.alerts.filter(({ on }) => on !== 'balance').map(watchOfAlert),
    ...watching.limits.filter(({ action }) => action === 'tell').map(watchOfLimit),
  ];
  const pairs = new Map<string, Watched>();
  for (const usage of counted) {
    for (const watch of watches) if (appliesTo(watch, usage)) pairs.set(nameOfPair({ watch, usage }), { watch, usage });
  }
  const values = pairs.size === 0 ? [] : await watchedValues(tx, [...pairs.values()], watching);
  await tellSteps(
    tx,
    values.flatMap((found) => stepsReached(found.watch, found.value, found.base).map((step) => reachedStep(found, step))),
  );
  const customers = new Map(counted.map(({ customerId: id, vendorId, now }) => [id, { id, vendorId, now }]));
  for (const customer of customers.values()) await tellBalance(tx, customer, watching.alerts);
  await askWhereLow(
    tx,
    watching.topUps.filter(({ customerId }) => customers.has(customerId)),
  );
}

/** Usage of one place is looked at once, however many events it came with. */
function nameOfPair({ watch, usage }: Watched): string {
  const { contractId, idx, slug } = usage;
  const part = watch.slug === null ? '' : slug;
  return `${watch.id} ${watch.window === 'period' ? `${contractId} ${idx} ${part}` : windowOf(usage, watch.window).from}`;
}

function reachedStep({ watch, usage, value, currency, place, alsoPlaces }: WatchedValue, step: Step): ReachedStep {
  const { vendorId, customerId: id, now, contractId, idx } = usage;
  const start = watch.window === 'period' ? {} : { window_start: new Date(windowOf(usage, watch.window).from).toISOString() };
  const where = { ...start, contract_id: contractId, usage_period: idx };
  return { ...step, watch, customer: { id, vendorId, now }, value, currency, place, alsoPlaces, where };
}

/**
 * Tells of what usage has reached that was decided alone.
 *
 * @param watching what is watched of the customer, but for its money where the usage surely reaches nothing there
 */
export async function tellOfOne(
  tx: Tx,
  { id: customerId, vendorId, now }: LockedCustomer,
  { contract, idx, slug, at, closed }: CountedPlace & { closed: boolean },
  watching: Watching,
): Promise<void> {
  await tellReached(tx, [{ vendorId, customerId, contractId: contract.id, idx, slug, at, now, closed }], watching);
}

/**
 * Tells of what a customer's usage has reached already, where something is set that watches it.
 *
 * @param slug null: of all features together
 */
export async function tellReachedAlready(tx: Tx, { id: customerId, vendorId, now }: LockedCustomer, slug: string | null): Promise<void> {
  const watching = await readWatching(tx, [customerId]);
  // in a trial no period of a cycle runs, and usage counts in period 0
  const running = (await activeContracts(tx, customerId)).map(({ id: contractId, currentIdx }) => ({
    ...{ vendorId, customerId, contractId, idx: currentIdx ?? 0, slug: slug ?? '', at: now, now, closed: false },
  }));
  await tellReached(tx, running, watching);
  if (running.length === 0) await tellBalance(tx, { id: customerId, vendorId, now }, watching.alerts);
  await keepRooms(tx, [{ id: customerId, vendorId, now }], watching);
}
