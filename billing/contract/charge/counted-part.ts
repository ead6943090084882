import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { NOTHING, type Ratio } from '../../calendar/ratio.ts';
import { type Decimal, dec, sum, text, ZERO } from '../../money/decimal.ts';
import { priceAmount } from '../../pricing/amount.ts';
import type { Began } from '../../pricing/began.ts';
import { owedOf } from '../../pricing/owed.ts';
import { isUsagePriced, type Price } from '../../pricing/price.ts';
import { isSameUsagePrice } from '../../pricing/same-usage-price.ts';
import { addTotal, type Counter } from '../../usage/count.ts';
import type { EarlierPart, UsagePeriod } from '../../usage/types.ts';
import { freedomIn } from '../period/cycles-left.ts';
import { usageShare } from '../period/known-end.ts';
import { type Source, sourcesOf } from '../period/sources.ts';

/** What a source is charged for in a period: the whole, or the part since a change inside the billing period. */
export interface CountedPart {
  /** units counted since the part began */
  units: string;
  events: number;
  /** units of the billing period, those before the part included */
  count: string;
  /** null for the first part */
  began: Began | null;
  /** since when its usage counts: before this contract began, where the usage period went on at the same price */
  start: Instant;
  /** share of the whole natural period that minimum and flat fee are owed for */
  ratio: Ratio;
  /** the periods whose usage is counted as one, oldest first, its own last */
  places: UsagePlace[];
}

/** A usage period of a contract of the chain. */
export type UsagePlace = Pick<UsagePeriod, 'contractId' | 'idx'>;

/** The count so far, while the parts of the billing period are added. */
interface Tally extends Counter {
  start: Instant;
  /** it begins with a change to another price or another cycle */
  isNew: boolean;
  /** minimum and flat fee of its time were charged before, when a caller closed a period */
  isPaid: boolean;
  /** the prices of the parts that a caller closed: their minimum and flat fee were charged to the period's end */
  closedEarly: readonly (Price | null)[];
  places: UsagePlace[];
  /** as in `Began` */
  tierFees: string | null;
}

/**
 * Counts a source over the parts of a billing period. Parts at the same price count as one: one sum, one share of
 * minimum and fee. Another price begins at the count so far, with the tier fees charged so far.
 *
 * @param own the period itself, last of the parts
 * @param earlier the parts before it, oldest first
 * @example
 * const story = signs('2025-06-01', plan('pro', { features: { calls: usage('1') } }));
 * story.uses('2025-06-10', 'calls', '1000');
 * const { contract, periods, usage: totals } = workOn(story, '2025-06-16').snapshot;
 * const [calls] = usageSources(contract.terms);
 * countedPart({ contract, period: periods[0], usage: totals }, [], calls, []).units // '1000'
 */
export function countedPart(own: EarlierPart, earlier: readonly EarlierPart[], source: Source, pauses: Pause[]): CountedPart {
  const [first = own, ...more] = [...(own.period.follows === null ? [] : earlier), own];
  let before = first;
  const begin = { base: ZERO, count: ZERO, events: 0, start: first.period.from, isNew: beginsNew(first, source) };
  let tally = counted({ ...begin, isPaid: false, closedEarly: [], places: [], tierFees: null }, first, source);
  for (const part of more) {
    const isOne = before.period.goesOn.includes(source.source);
    tally = counted(isOne ? tally : nextTally(tally, before, part, source, pauses), part, source);
    before = part;
  }
  return partOf(own, tally, pauses);
}

function counted(tally: Tally, { period, usage }: EarlierPart, { slug }: Source): Tally {
  const total = usage.find((one) => one.slug === slug && one.periodIdx === period.idx && one.contractId === period.contractId);
  const { contractId, idx } = period;
  tally.places.push({ contractId, idx });
  return { ...tally, ...addTotal(tally, total) };
}

function partOf(part: EarlierPart, tally: Tally, pauses: Pause[]): CountedPart {
  const { base, count, events, start: from, isNew, isPaid, tierFees, places } = tally;
  const { contract, period } = part;
  return {
    units: text(count.minus(base)),
    events,
    count: text(count),
    began: tierFees === null && base.isZero() ? null : { units: text(base), tierFees },
    start: from,
    ratio: isPaid || !hasTime(part) ? NOTHING : usageShare(contract, period.idx, { from, until: period.until, isNew }, pauses),
    places,
  };
}

/**
 * Whether usage pays for time: not in a free trial, nor where it was reported in the trial for a time that the contract
 * never reached.
 */
function hasTime({ contract, period }: EarlierPart): boolean {
  return period.idx > 0 && (contract.start !== null || period.until === null);
}

/** Whether a part is the first of a contract that began with a change, and its price began with it. */
function beginsNew({ contract, period }: EarlierPart, { source }: Source): boolean {
  return period.idx === 1 && contract.carried.newUsage?.includes(source) === true;
}

/** The tally of a part that doesn't go on from the one before it. */
function nextTally({ count, ...tally }: Tally, before: EarlierPart, part: EarlierPart, source: Source, pauses: Pause[]): Tally {
  const price = priceIn(part, source);
  const closedEarly = isClosedEarly(before, part, source) ? [...tally.closedEarly, priceIn(before, source)] : tally.closedEarly;
  return {
    base: count,
    count,
    events: 0,
    start: part.period.from,
    isNew: beginsNew(part, source),
    places: [],
    isPaid: closedEarly.some((paid) => isSameUsagePrice(paid, price)),
    closedEarly,
    tierFees: feesSoFar({ count, ...tally }, before, source, pauses),
  };
}

/**
 * Whether a caller closed a part before the next one began; otherwise a part at the same price would go on. A part that
 * a change ends has its end where the next one begins, and is closed no sooner; a part that a caller closed keeps its
 * own bounds.
 */
function isClosedEarly(before: EarlierPart, part: EarlierPart, source: Source): boolean {
  const { until, closedAt } = before.period;
  const isEndedByChange = until === part.period.from && (closedAt === null || closedAt >= until);
  return !isEndedByChange || isSameUsagePrice(priceIn(before, source), priceIn(part, source));
}

function priceIn({ contract }: EarlierPart, { source }: Source): Price | null {
  return sourcesOf(contract.terms).find((one) => one.source === source)?.price ?? null;
}

function feesSoFar(tally: Tally, part: EarlierPart, source: Source, pauses: Pause[]): string | null {
  const price = priceIn(part, source);
  if (price === null || !isUsagePriced(price)) return tally.tierFees;
  const { units, began, ratio } = partOf(part, tally, pauses);
  if (ratio.part === 0 && dec(units).isZero()) return tally.tierFees;
  const own = owedOf(tierFeesIn(price, units, ratio, began, part), freedomIn(part.contract, part.period.idx, { ...source, price }, false));
  return text(own.plus(tally.tierFees ?? '0'));
}

function tierFeesIn(price: Price, units: string, ratio: Ratio, began: Began | null, { contract }: EarlierPart): Decimal {
  const { pieces } = priceAmount(price, units, ratio, contract.terms.currency, began);
  return sum(pieces.filter(({ step }) => step.step === 'fee' && step.kind === 'tier_fee').map(({ amount }) => amount));
}
