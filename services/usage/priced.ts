import type { Pause } from '../../billing/calendar/pauses.ts';
import { type FeatureUsage, usageOf } from '../../billing/contract/charge/usage-view.ts';
import { usageSources } from '../../billing/contract/period/sources.ts';
import type { Contract, UsageTotal } from '../../billing/contract/types.ts';
import { dec, sum, text } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import { contractsOf } from '../../db/contract/earlier-parts.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { chargingPeriod } from '../../db/sql/usage/charging-period.ts';
import { keyOf, type PartKey } from '../../db/sql/usage/part.ts';
import { partsBefore } from '../../db/sql/usage/periods-before.ts';
import { periodsByKeys } from '../../db/sql/usage/periods-by-keys.ts';
import { readCounters } from '../../db/sql/usage/read-counters.ts';
import { reservedUnits } from '../../db/sql/usage/reserved-units.ts';
import { earlierOf, totalsOf } from './list-periods.ts';

/** Which features are priced, and what is added to the counted units. */
interface Priced {
  /** null: all */
  of: string | null;
  /** units that are added to those of the event's feature */
  added?: string;
  /** whether reservations count */
  reserved?: boolean;
}

/**
 * What open usage comes to, as reads of the periods show it; reserved units count too unless `reserved` is false. Of
 * one feature: in the period that charges the event (a successor's, if its usage goes on there). Of all features: in
 * that period and in the running periods of the customer's other contracts in the same currency.
 */
export async function pricedOpenUsage(
  tx: Tx,
  { id: customerId, pauses }: { id: string; pauses: Pause[] },
  { contract, idx, slug }: { contract: Contract; idx: number; slug: string },
  { of, added = '0', reserved = true }: Priced,
): Promise<string> {
  const priced = { pauses, customerId, of, reserved };
  const own = { slug, units: added };
  if (of !== null) {
    const charging = await chargingPeriod(tx, { contractId: contract.id, idx }, slug);
    const [charged = contract] = charging.contractId === contract.id ? [contract] : await contractsByIds(tx, [charging.contractId]);
    return amountIn(tx, [{ contract: charged, idx: charging.idx, added: own }], priced);
  }
  const others = (await activeContracts(tx, customerId)).filter(
    ({ id, terms }) => id !== contract.id && terms.currency === contract.terms.currency,
  );
  const running = others.map((other) => ({ contract: other, idx: other.currentIdx ?? 0, added: { slug: '', units: '0' } }));
  return amountIn(tx, [{ contract, idx, added: own }, ...running], priced);
}

/** A usage period to be priced, with units that are added to those of a feature. */
export interface UsageToPrice {
  contract: Contract;
  idx: number;
  added?: { slug: string; units: string };
}

interface Pricing {
  pauses: Pause[];
  customerId: string;
  of: string | null;
  reserved: boolean;
}

/** What the usage of open periods comes to, however many they are by the same number of statements. */
async function amountIn(tx: Tx, places: readonly UsageToPrice[], { pauses, customerId, of, reserved }: Pricing): Promise<string> {
  return featuresAmount(await pricedUsage(tx, places, { pausesOf: () => pauses, reservedBy: reserved ? customerId : null }), of);
}

/**
 * What features of open periods come to.
 *
 * @param of null: all of them
 */
export const featuresAmount = (usage: readonly FeatureUsage[], of: string | null): string =>
  text(sum(usage.flatMap(({ slug, amount }) => (of === null || slug === of ? [dec(amount)] : []))));

interface UsagePricing {
  pausesOf: (customerId: string) => Pause[];
  /** the customer whose reservations count too */
  reservedBy: string | null;
}

/** The usage of periods that are open, feature by feature, however many they are by the same number of statements. */
export async function pricedUsage(tx: Tx, places: readonly UsageToPrice[], pricing: UsagePricing): Promise<PricedFeature[]> {
  const keys = places.map(({ contract, idx }) => ({ contractId: contract.id, idx }));
  const periods = new Map((await periodsByKeys(tx, keys)).map((period) => [keyOf(period), period]));
  const open = places.flatMap((place) => {
    const period = periods.get(keyOf({ contractId: place.contract.id, idx: place.idx }));
    return period === undefined || period.status === 'closed' ? [] : [{ ...place, period }];
  });
  const before = await partsBefore(
    tx,
    open.map(({ period }) => period).filter(({ follows }) => follows !== null),
  );
  const earlier = [...new Map([...before.values()].flat().map((period) => [keyOf(period), period])).values()];
  const counters = await readCounters(tx, [...open.map(({ period }) => period), ...earlier]);
  const owners = await contractsOf(tx, earlier);
  const reserved = await reservedIn(tx, open, pricing.reservedBy);
  return open.flatMap(({ contract, idx, added, period }) => {
    const parts = before.get(keyOf(period)) ?? [];
    const counted = totalsOf(period, parts.at(-1), counters);
    const usage = slugsOf(contract).map((slug) => {
      const more = [reserved.get(`${keyOf(period)} ${slug}`) ?? '0', slug === added?.slug ? added.units : '0'];
      return plus(counted, { contractId: contract.id, periodIdx: idx, slug }, more);
    });
    const features = usageOf({ contract, period, usage }, earlierOf(parts, owners, counters), pricing.pausesOf(contract.customerId));
    return features.map((feature) => ({ ...feature, contractId: contract.id, idx }));
  });
}

/** What a feature comes to in a usage period. */
export type PricedFeature = FeatureUsage & PartKey;

/** Units that a customer's reservations keep, by the period and the feature. */
async function reservedIn(tx: Tx, open: readonly UsageToPrice[], customerId: string | null): Promise<Map<string, string>> {
  if (customerId === null) return new Map();
  const spans = open.flatMap(({ contract, idx }) =>
    slugsOf(contract).map((slug) => ({ customerId, slug, from: null, to: null, contractId: contract.id, idx })),
  );
  const units = await reservedUnits(tx, spans);
  return new Map(spans.map(({ slug, ...part }, at) => [`${keyOf(part)} ${slug}`, units[at] ?? '0']));
}

const slugsOf = ({ terms }: Contract): string[] => usageSources(terms).flatMap(({ slug }) => slug ?? []);

/** A feature's total with further units. */
function plus(
  counted: readonly UsageTotal[],
  key: Pick<UsageTotal, 'contractId' | 'periodIdx' | 'slug'>,
  more: readonly string[],
): UsageTotal {
  const total = counted.find(({ slug }) => slug === key.slug);
  const units = text(more.reduce((sum, one) => sum.plus(one), dec(total?.units ?? '0')));
  return { ...key, events: 0, marker: null, units, unitsUntilNow: units, eventsUntilNow: 0, markerUntilNow: null };
}
