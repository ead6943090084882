import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../../billing/calendar/instant.ts';
import { countsAsOf, isPastEnd } from '../../billing/contract/period/held-usage.ts';
import { pauseRule } from '../../billing/contract/period/pause-rules.ts';
import { priceOfFeature } from '../../billing/contract/terms/terms.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { isUsagePriced } from '../../billing/pricing/price.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { lateContracts } from '../../db/sql/agenda/late-contracts.ts';
import { lockCountedCustomer } from '../../db/sql/customer/lock.ts';
import { limitLocks } from '../../db/sql/transaction/limit-locks.ts';
import { customersWithRoom } from '../../db/sql/usage/customers-with-room.ts';
import { findEvent } from '../../db/sql/usage/find-event.ts';
import { insertEvent } from '../../db/sql/usage/insert-event.ts';
import { lockContractsWith } from '../../db/sql/usage/lock-contracts.ts';
import { markPeriod } from '../../db/sql/usage/mark-period.ts';
import { isSoldWithHold, whatIsSold } from '../../db/sql/usage/what-is-sold.ts';
import { countUsage } from '../../db/usage/count.ts';
import { AHEAD_MS, type Recorded, type ReportedUsage } from '../../db/usage/event.ts';
import { catchUp } from '../contract/catch-up.ts';
import { againAfterFreeze } from '../customer/after-freeze.ts';
import { FreezeIsOver, isFreezeOver } from '../customer/freeze-over.ts';
import { inactiveRefusal, type LockedCustomer, lockCustomer } from '../customer/lock.ts';
import { type CountedPlace, withinLimits } from './check-limits.ts';
import { correctUsage } from './correct.ts';
import { keepRooms, watchedForMoney, withoutMoneyOf } from './keep-rooms.ts';
import { type LockedPeriod, lockUsageAt } from './period.ts';
import { readWatching, tellOfOne } from './reached.ts';
import { appliesTo } from './room.ts';
import { invoiceThresholds, thresholdsOf } from './thresholds.ts';
import { NOTHING_WATCHED, type Watching } from './watched-value.ts';

/**
 * Decides on one event with everything that may matter: repeats, markers, corrections, periods without a row, refusals.
 *
 * @param longestLock milliseconds that each lock is waited for at most
 */
export async function recordOne(db: Database, entry: ReportedUsage, longestLock: number): Promise<Recorded> {
  const run = async (tx: Tx): Promise<string> => {
    await limitLocks(tx, longestLock);
    return record(tx, entry);
  };
  try {
    // usage after a freeze counts in the period that it is dated in, which is known once the end of the freeze is
    // carried out
    const write = () => db.transaction(run);
    const onTime = () => write().catch((error: unknown) => againAfterFreeze(db, error, write));
    return { id: await onTime().catch((error: unknown) => againUpToDate(db, error, entry, onTime)) };
  } catch (error) {
    if (isRefusal(error)) return { error };
    throw error;
  }
}

/**
 * Decides on events of one customer and feature in one transaction, in their order, as `recordOne` does on each. None
 * of them may be one that corrects closed usage, which locks more. No further event is begun after `longestMs`, since
 * changes of the contract wait for the locks of the first.
 *
 * @returns the ids of those that were decided, one at least; null, with nothing done, for a customer that is watched:
 *   what its usage brings about takes locks that would have to come after those of the next event
 * @throws for the first event that is refused: the caller then writes none
 */
export async function recordInOrder(
  tx: Tx,
  [first, ...others]: readonly [ReportedUsage, ...ReportedUsage[]],
  longestMs: number,
): Promise<string[] | null> {
  const customer = await lockCountedCustomer(tx, first.vendorId, first.customerId);
  if (customer?.watched) return null;
  const ids = [await record(tx, first)];
  const began = performance.now();
  for (const entry of others) {
    if (performance.now() - began >= longestMs) break;
    ids.push(await record(tx, entry));
  }
  return ids;
}

const isRefusal = (error: unknown): boolean => error instanceof Refusal;

/** Refusals of usage that may come only because a worker is late. */
const OF_LATE_CONTRACTS: ReadonlySet<string> = new Set(['usage_outside_contract', 'feature_not_found', 'feature_not_usage_priced']);

/**
 * Decides again about an event that no contract took, after carrying out what is due of the customer's contracts: a
 * contract that takes it may begin then, by itself or by a change.
 */
async function againUpToDate<T>(db: Database, error: unknown, { customerId }: ReportedUsage, write: () => Promise<T>): Promise<T> {
  if (!(error instanceof Refusal && OF_LATE_CONTRACTS.has(error.code))) throw error;
  const late = await lateContracts(db, customerId);
  if (late.length === 0) throw error;
  for (const contractId of late) await catchUp(db, contractId);
  return write();
}

/**
 * Records an event that was promised: no limit refuses it.
 *
 * @throws Refusal what usage is refused for, but for limits
 */
export const recordPromised = (tx: Tx, entry: ReportedUsage): Promise<string> => record(tx, entry, true);

async function record(tx: Tx, entry: ReportedUsage, isPromised = false): Promise<string> {
  const repeat = await findRepeat(tx, entry);
  if (repeat !== null) return repeat;
  const customer = await lockCustomer(tx, entry.vendorId, entry.customerId, { lock: 'to count', frozen: 'allow' });
  if (customer.clockId === null && isFreezeOver(customer)) throw new FreezeIsOver(customer.id);
  const thresholds = await thresholdsOf(tx, customer, { slugs: [entry.slug], given: entry.timestamp === null ? [] : [entry.timestamp] });
  const at = entry.timestamp ?? customer.now;
  if (at > customer.now + AHEAD_MS) {
    const limit = `is more than an hour ahead of the customer’s time, ${new Date(customer.now).toISOString()}`;
    throw new Refusal('usage_in_future', `the timestamp ${limit}`, { timestamp: limit });
  }
  const frozen = frozenFor(customer, at);
  const live = await contractAt(tx, entry, customer, at);
  if (frozen !== null) await requireHeld(tx, entry, live, frozen);
  if (live === null) throw await noContract(tx, entry);
  const asOf = countsAsOf(live, customer.pauses, at);
  const contract = asOf === at ? live : await contractAt(tx, entry, customer, asOf);
  if (contract === null) throw await noContract(tx, entry);
  const period = await lockUsageAt(tx, contract, customer, asOf, entry.slug);
  if (period.closed && customer.status === 'inactive') throw inactiveRefusal(customer);
  if (period.closed && !entry.allowCorrection) {
    const { idx, contractId } = period.charging;
    throw new Refusal(
      'period_closed',
      `usage period ${idx} of ${contractId} is closed: set allow_correction to bill the difference on the next invoice`,
      {
        timestamp: 'lies in a closed period; with allow_correction the difference is billed on the next invoice',
      },
    );
  }
  return write(tx, entry, { customer, contract, period, at, thresholds, isPromised });
}

interface Decided {
  customer: LockedCustomer;
  contract: Contract;
  period: LockedPeriod;
  at: Instant;
  thresholds: readonly Contract[];
  isPromised: boolean;
}

/** Writes an event that nothing but a limit refuses any more, and what follows from it. */
async function write(tx: Tx, entry: ReportedUsage, { customer, contract, period, at, thresholds, isPromised }: Decided): Promise<string> {
  const placed = { contractId: contract.id, idx: period.idx, at, arrivedAt: customer.now, corrected: period.closed };
  let isNew = true;
  const place = { contract, idx: period.idx, slug: entry.slug, at };
  const watching = await watchingFor(tx, entry, { customer, place, mayCount: !period.closed && !isPromised });
  const price = priceOfFeature(contract.terms, entry.slug);
  // a correction, and usage that is only shown, adds nothing to the open usage that a limit of money counts
  const isCounted = !entry.isAbsolute && !period.closed && price !== null && isUsagePriced(price);
  const limits = isPromised ? [] : watching.limits.filter((limit) => limit.action === 'refuse' && appliesTo(limit, entry));
  await withinLimits(tx, { customer, place, limits }, async () => {
    isNew = await insertEvent(tx, entry, placed);
    if (isNew) await count(tx, entry, { contract, period, at, now: customer.now });
    return { units: isNew ? entry.units : '0', isReport: isNew && isCounted };
  });
  if (!isNew) return (await findRepeat(tx, entry)) ?? entry.id;
  if (customer.watched) await tellOfOne(tx, customer, { ...place, closed: period.closed }, watching);
  if (!period.closed) await invoiceThresholds(tx, thresholds);
  await keepRooms(tx, [customer], watching);
  return entry.id;
}

/** What is watched of the customer, but for its money where the event surely reaches nothing there. */
async function watchingFor(
  tx: Tx,
  { units, isAbsolute }: ReportedUsage,
  { customer, place: { contract, idx, slug, at }, mayCount }: { customer: LockedCustomer; place: CountedPlace; mayCount: boolean },
): Promise<Watching> {
  if (!customer.watched) return NOTHING_WATCHED;
  const watching = await readWatching(tx, [customer.id]);
  if (!mayCount || isAbsolute) return watching;
  const added = [{ contractId: contract.id, idx, slug, units, at }];
  return withoutMoneyOf(watching, await customersWithRoom(tx, [...watchedForMoney(watching)], added));
}

/** Why usage of an instant is refused unless its contract holds it: the customer is frozen, or was then. */
function frozenFor(customer: LockedCustomer, at: number): Refusal | null {
  if (customer.status === 'inactive') return inactiveRefusal(customer);
  const wasFrozen = customer.pauses.some(({ from, to }) => from <= at && (to === null || at < to));
  if (!wasFrozen) return null;
  return new Refusal('usage_while_frozen', 'the customer was frozen at that time', { timestamp: 'lies in a freeze' });
}

const holds = ({ pauseRules }: Contract): boolean => pauseRule(pauseRules, 'usage') === 'hold';

/**
 * Refuses usage of a freeze that its contract doesn't hold. If no contract was live at that time, the usage is refused
 * as frozen unless a contract of the customer that sells the feature holds usage.
 */
async function requireHeld(tx: Tx, entry: ReportedUsage, live: Contract | null, frozen: Refusal): Promise<void> {
  const isHeld = live === null ? await isSoldWithHold(tx, entry) : holds(live);
  if (!isHeld) throw frozen;
}

/** The event reported under the same key before; another event under it is refused. */
async function findRepeat(tx: Tx, entry: ReportedUsage): Promise<string | null> {
  if (entry.idempotencyKey === null) return null;
  const row = await findEvent(tx, entry.vendorId, entry.idempotencyKey);
  if (row === null) return null;
  if (row.customer_id === null) return row.id;
  const same =
    row.customer_id === entry.customerId &&
    row.feature_slug === entry.slug &&
    (row.original ?? row.units) === entry.units &&
    row.is_absolute === entry.isAbsolute &&
    (entry.timestamp === null || row.timestamp === entry.timestamp) &&
    isDeepStrictEqual(row.metadata, entry.metadata);
  if (!same) throw new Refusal('idempotency_key_reused', 'the key was used for another event; a new event needs a new key');
  return row.id;
}

/** How many contracts are looked at first; the right one is nearly always among them. */
const FEW = 20;

/**
 * The customer's contract that takes usage of the feature and was the live one at an instant, the youngest where there
 * are several; null: there was none. It is locked while it is chosen: a change that is about to commit is waited for,
 * and its successor is found by a second read. An event that may correct closed usage locks it for an update at once:
 * two transactions that have it `for key share` and want more later would wait for each other.
 */
async function contractAt(tx: Tx, entry: ReportedUsage, { pauses, now }: LockedCustomer, at: number): Promise<Contract | null> {
  const { customerId, slug, allowCorrection } = entry;
  const lock = (most: number) => lockContractsWith(tx, { customerId, slug, at }, most, allowCorrection ? 'update' : 'key share');
  for (let most = FEW; ; most *= 10) {
    await lock(most);
    const found = await lock(most);
    const lived = found.find((contract) => contract.began !== null && contract.began <= at && !isPastEnd(contract, pauses, at, now));
    if (lived !== undefined || found.length < most) return lived ?? null;
  }
}

/** Why usage is refused that no contract took at its time. */
async function noContract(tx: Tx, entry: ReportedUsage): Promise<Refusal> {
  const sold = await whatIsSold(tx, entry);
  if (sold === null) {
    return new Refusal('feature_not_found', `no contract has the feature ${entry.slug}`, { feature_slug: 'is not known' });
  }
  if (sold === 'else') {
    return new Refusal('feature_not_usage_priced', `the feature ${entry.slug} has no usage price`, { feature_slug: 'has no usage price' });
  }
  return new Refusal('usage_outside_contract', 'no contract was live at that time', { timestamp: 'lies outside of the contract' });
}

async function count(
  tx: Tx,
  entry: ReportedUsage,
  { contract, period, at, now }: { contract: Contract; period: LockedPeriod; at: number; now: number },
): Promise<void> {
  if (entry.isAbsolute) await markPeriod(tx, { contractId: contract.id, idx: period.idx });
  const key = { contractId: contract.id, idx: period.idx, slug: entry.slug };
  await countUsage(tx, key, [{ units: entry.units, events: 1, listed: 1, at, isAbsolute: entry.isAbsolute }]);
  if (period.closed) await correctUsage(tx, { ...period.charging, slug: entry.slug }, entry.id, now);
}
