import type { Instant } from '../../billing/calendar/instant.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { baseOf, isShare, type UsageAlert, type Watch } from '../../billing/usage/alert.ts';
import type { UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import type { WatchingTopUp } from '../../db/sql/credit/top-ups-of.ts';
import { type BillingPeriodUnits, billingPeriodUnits } from '../../db/sql/usage/billing-period-units.ts';
import { maximumUnits } from '../../db/sql/usage/maximum-units.ts';
import type { CounterKey } from '../../db/sql/usage/part.ts';
import { windowUnits } from '../../db/sql/usage/window-units.ts';
import { nameOfWindow, windowOf } from './room.ts';
import { periodPlace, spentOf } from './spent.ts';

/** Usage that was counted in this transaction: of which feature, and where. */
export interface CountedUsage extends CounterKey {
  vendorId: string;
  customerId: string;
  at: Instant;
  /** the period that charges it is closed: what it comes to is billed as a correction and isn't open */
  closed: boolean;
  /** the time on the customer's clock */
  now: Instant;
}

/** What is watched of customers. */
export interface Watching {
  limits: readonly UsageLimit[];
  alerts: readonly UsageAlert[];
  topUps: readonly WatchingTopUp[];
}

export const NOTHING_WATCHED: Watching = { limits: [], alerts: [], topUps: [] };

/** A watch, and usage that counts for it. */
export interface Watched {
  watch: Watch;
  usage: CountedUsage;
}

/** What a watch counts now, and where. */
export interface WatchedValue extends Watched {
  value: string;
  /** what shares are of */
  base: string | null;
  /** of money */
  currency: string | null;
  /** names the usage period, the day or the hour */
  place: string;
  /** further usage periods that the value is made of */
  alsoPlaces: readonly string[];
}

/**
 * The values of watches after usage was counted. A billing period is named by its first part, so its name stays when a
 * change divides it.
 */
export async function watchedValues(tx: Tx, pairs: readonly Watched[], watching: Watching): Promise<WatchedValue[]> {
  const overPeriods = pairs.filter(({ watch }) => watch.window === 'period');
  const parts = await billingPeriodUnits(
    tx,
    overPeriods.map(({ usage }) => usage),
  );
  const maxima = await maximaOf(
    tx,
    overPeriods.map((pair, at) => ({ ...pair, part: parts[at] })),
    watching,
  );
  const found = overPeriods.flatMap(({ watch, usage }, at) => {
    const part = parts[at];
    if (part === undefined) return [];
    const base = baseOf(watch, ownLimits(watching, usage), maxima[at] ?? null);
    return [{ watch, usage, base, place: periodPlace(part.first), units: part.units }];
  });
  const spent = await spendValues(
    tx,
    found.filter(({ watch, usage }) => watch.on !== 'usage' && !usage.closed),
  );
  const inPeriods = found.flatMap((one): WatchedValue[] => {
    const { units, ...rest } = one;
    if (rest.watch.on === 'usage') return [{ ...rest, value: text(dec(units)), currency: null, alsoPlaces: [] }];
    const spend = spent.get(one);
    return spend === undefined ? [] : [{ ...rest, ...spend }];
  });
  return [...(await inWindows(tx, pairs)), ...inPeriods];
}

type Spend = Pick<WatchedValue, 'value' | 'currency' | 'alsoPlaces'>;

/**
 * What open usage comes to, as its reads show it: of one feature, or of all features in the contract's currency, priced
 * in one go, however many contracts it is of. A step that late usage reaches is noted for the period of that usage
 * alone: the running periods by themselves come to less. Where a customer has used several contracts, their running
 * periods come to one amount of all features.
 *
 * @returns nothing for usage whose amount another one has
 */
async function spendValues<T extends Watched & Pick<WatchedValue, 'place'>>(tx: Tx, spending: readonly T[]): Promise<Map<T, Spend>> {
  const found = new Map<T, Spend>();
  if (spending.length === 0) return found;
  const amounts = await spentOf(tx, spending);
  const known = new Set<string>();
  for (const one of spending) {
    const { watch, usage, place } = one;
    const { currency, isRunning, running, amountIn } = amounts(one);
    const isOfAll = watch.slug === null && isRunning;
    if (isOfAll && known.has(`${watch.id} ${place}`)) continue;
    const others = watch.slug === null ? running.filter(({ contractId }) => contractId !== usage.contractId) : [];
    const alsoPlaces = isOfAll ? others.flatMap((other) => other.place ?? []) : [];
    for (const also of alsoPlaces) known.add(`${watch.id} ${also}`);
    found.set(one, { value: moneyText(amountIn(others), currency), currency, alsoPlaces });
  }
  return found;
}

const ownLimits = ({ limits }: Watching, { customerId }: CountedUsage): UsageLimit[] =>
  limits.filter((limit) => limit.customerId === customerId);

/**
 * The number of units at the usual price, for the watches that need it: only for these are the contract's terms read.
 */
async function maximaOf(
  tx: Tx,
  pairs: readonly (Watched & { part: BillingPeriodUnits | undefined })[],
  watching: Watching,
): Promise<(string | null)[]> {
  const needs = ({ watch, usage }: Watched): boolean =>
    watch.on === 'usage' && watch.steps.some(isShare) && baseOf(watch, ownLimits(watching, usage), null) === null;
  const asked = pairs.flatMap((pair, at) =>
    pair.part !== undefined && needs(pair) ? [{ at, contractId: pair.part.last.contractId, slug: pair.usage.slug }] : [],
  );
  const found = await maximumUnits(tx, asked);
  const maxima = new Map(asked.map(({ at }, place) => [at, found[place] ?? null]));
  return pairs.map((_, at) => maxima.get(at) ?? null);
}

async function inWindows(tx: Tx, pairs: readonly Watched[]): Promise<WatchedValue[]> {
  const within = pairs.flatMap(({ watch, usage }) =>
    watch.window === 'period' ? [] : [{ watch, usage, key: windowOf(usage, watch.window) }],
  );
  const keys = [...new Map(within.map(({ key }) => [nameOfWindow(key), key])).values()];
  const units = await windowUnits(tx, keys);
  const counted = new Map(keys.map((key, at) => [nameOfWindow(key), units[at] ?? '0']));
  return within.map(({ watch, usage, key }) => ({
    ...{ watch, usage, base: null, currency: null, alsoPlaces: [] },
    ...{ value: text(dec(counted.get(nameOfWindow(key)) ?? '0')), place: `${key.window} ${new Date(key.from).toISOString()}` },
  }));
}
