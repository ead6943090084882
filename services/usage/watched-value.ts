import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { baseOf, isShare, type UsageAlert, type Watch } from '../../billing/usage/alert.ts';
import type { UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import type { WatchingTopUp } from '../../db/sql/credit/top-ups-of.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { type BillingPeriodUnits, billingPeriodUnits } from '../../db/sql/usage/billing-period-units.ts';
import { maximumUnits } from '../../db/sql/usage/maximum-units.ts';
import type { CounterKey, PartKey } from '../../db/sql/usage/part.ts';
import { windowUnits } from '../../db/sql/usage/window-units.ts';
import { pricedOpenUsage } from './priced.ts';
import { nameOfWindow, windowOf } from './room.ts';

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

/** Names a billing period by its first part. */
export const periodPlace = ({ contractId, idx }: PartKey): string => `period ${contractId} ${idx}`;

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
 * What open usage comes to. Where a customer has used several contracts, their running periods come to one amount of
 * all features, which is read once: for a thousand contracts it would be a thousand sums of a thousand amounts each.
 *
 * @returns nothing for usage whose amount another one has
 */
async function spendValues<T extends Watched & Pick<WatchedValue, 'place'>>(tx: Tx, spending: readonly T[]): Promise<Map<T, Spend>> {
  const ids = [...new Set(spending.map(({ usage }) => usage.contractId))];
  const contracts = new Map((ids.length === 0 ? [] : await contractsByIds(tx, ids)).map((contract) => [contract.id, contract]));
  const known = new Set<string>();
  const found = new Map<T, Spend>();
  for (const one of spending) {
    const { watch, usage, place } = one;
    const contract = contracts.get(usage.contractId);
    if (contract === undefined) throw new Error(`the contract ${usage.contractId} does not exist`);
    const isOfAll = watch.slug === null && usage.idx === contract.currentIdx;
    if (isOfAll && known.has(`${watch.id} ${place}`)) continue;
    const spend = await spendOf(tx, contract, { watch, usage });
    for (const also of spend.alsoPlaces) known.add(`${watch.id} ${also}`);
    found.set(one, spend);
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

/**
 * What open usage comes to, as its reads show it: of one feature, or of all features in the contract's currency. A step
 * that late usage reaches is noted for the period of that usage alone: the running periods by themselves come to less.
 */
async function spendOf(tx: Tx, contract: Contract, { watch, usage }: Watched): Promise<Spend> {
  const { customerId, contractId, idx, slug } = usage;
  const { currency } = contract.terms;
  const customer = { id: customerId, pauses: await readPauses(tx, customerId) };
  const value = moneyText(await pricedOpenUsage(tx, customer, { contract, idx, slug }, { of: watch.slug, reserved: false }), currency);
  if (watch.slug !== null || idx !== contract.currentIdx) return { value, currency, alsoPlaces: [] };
  const others = (await activeContracts(tx, customerId)).filter(({ id, terms }) => id !== contractId && terms.currency === currency);
  const running = others.flatMap(({ id, currentIdx }) => (currentIdx === null ? [] : [{ contractId: id, idx: currentIdx, slug: '' }]));
  return { value, currency, alsoPlaces: (await billingPeriodUnits(tx, running)).map(({ first }) => periodPlace(first)) };
}
