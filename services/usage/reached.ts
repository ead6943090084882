import { stepsReached, watchOfAlert, watchOfLimit } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import { alertsOf } from '../../db/sql/usage/list-alerts.ts';
import { limitsOf } from '../../db/sql/usage/list-limits.ts';
import { nameOfReached, noteReached } from '../../db/sql/usage/note-reached.ts';
import { together } from '../../db/together.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import type { CountedPlace } from './check-limits.ts';
import { appliesTo, windowOf } from './room.ts';
import { type CountedUsage, type Watched, type WatchedValue, type Watching, watchedValues } from './watched-value.ts';

/** What is watched of customers whose usage is counted. */
export async function readWatching(tx: Tx, customerIds: readonly string[]): Promise<Watching> {
  const [limits, alerts] = await together(tx, [() => limitsOf(tx, customerIds), () => alertsOf(tx, customerIds)]);
  return { limits, alerts };
}

/**
 * Tells of what usage has reached that this transaction has counted: each step once in a usage period, a day or an hour.
 * What was told is noted in the same transaction, so that nothing brings the step back: no lower usage, late usage or
 * change of the contract. The caller has locked the customers against other changes of their usage.
 */
export async function tellReached(tx: Tx, counted: readonly CountedUsage[], watching: Watching): Promise<void> {
  const watches = [...watching.alerts.map(watchOfAlert), ...watching.limits.filter(({ action }) => action === 'tell').map(watchOfLimit)];
  const pairs = new Map<string, Watched>();
  for (const usage of counted) {
    for (const watch of watches) if (appliesTo(watch, usage)) pairs.set(nameOfPair({ watch, usage }), { watch, usage });
  }
  if (pairs.size === 0) return;
  const values = await watchedValues(tx, [...pairs.values()], watching);
  const reached = values.flatMap((value) =>
    stepsReached(value.watch, value.value, value.base).map((step) => ({ ...value, ...step, watchId: value.watch.id })),
  );
  const isNew = await noteReached(
    tx,
    reached.flatMap(({ place, alsoPlaces, ...one }) => [place, ...alsoPlaces].map((each) => ({ ...one, place: each }))),
  );
  await publish(tx, reached.filter((one) => isNew.delete(nameOfReached(one))).map(eventOf));
}

/** Usage of one place is looked at once, however many events it came with. */
function nameOfPair({ watch, usage }: Watched): string {
  const { contractId, idx, slug } = usage;
  const part = watch.slug === null ? '' : slug;
  return `${watch.id} ${watch.window === 'period' ? `${contractId} ${idx} ${part}` : windowOf(usage, watch.window).from}`;
}

function eventOf({ watch, usage, value, currency, step, level }: WatchedValue & { step: string; level: string }): PublishedEvent {
  const { id, source, on, slug, window } = watch;
  const { vendorId, customerId, now, contractId, idx } = usage;
  const of = source === 'alert' ? { alert_id: id, limit_id: null } : { alert_id: null, limit_id: id };
  const start = window === 'period' ? {} : { window_start: new Date(windowOf(usage, window).from).toISOString() };
  return {
    vendorId,
    type: 'v1.alert.reached',
    objectId: customerId,
    at: now,
    data: { ...of, on, feature_slug: slug, step, level, value, currency, window, ...start, contract_id: contractId, usage_period: idx },
  };
}

/** Tells of what usage has reached that was decided alone. */
export async function tellOfOne(
  tx: Tx,
  { id: customerId, vendorId, now }: LockedCustomer,
  { contract, idx, slug, at, closed }: CountedPlace & { closed: boolean },
): Promise<void> {
  const counted = { vendorId, customerId, contractId: contract.id, idx, slug, at, now, closed };
  await tellReached(tx, [counted], await readWatching(tx, [customerId]));
}

/**
 * Tells of what a customer's usage has reached already, where something is set that watches it.
 *
 * @param slug null: of all features together
 */
export async function tellReachedAlready(tx: Tx, { id: customerId, vendorId, now }: LockedCustomer, slug: string | null): Promise<void> {
  const running = (await activeContracts(tx, customerId)).flatMap(({ id: contractId, currentIdx }) =>
    currentIdx === null ? [] : [{ vendorId, customerId, contractId, idx: currentIdx, slug: slug ?? '', at: now, now, closed: false }],
  );
  await tellReached(tx, running, await readWatching(tx, [customerId]));
}
