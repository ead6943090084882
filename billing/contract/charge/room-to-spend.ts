import type { Pause } from '../../calendar/pauses.ts';
import { type Decimal, dec, larger, smaller, sum } from '../../money/decimal.ts';
import { fallsAfter } from '../../pricing/falls.ts';
import { reportedSources, type Source } from '../period/sources.ts';
import type { EarlierPart } from '../types.ts';
import { ANY_USAGE, mostUnits, type UsageRoom, withMore } from './most-units.ts';
import { shownSources, usageOfSource } from './usage-view.ts';

/** An amount that open usage must not reach without being priced. */
export interface SpendBound {
  /** null: all features of the customer's contracts in the currency together */
  slug: string | null;
  below: string;
}

/** An open usage period of one of a customer's active contracts, and what its events are watched for. */
export interface OpenPart extends EarlierPart {
  /** the parts before it in the same billing period, oldest first */
  earlier: readonly EarlierPart[];
  /** it is the running period of its contract, so its usage also counts for bounds of other contracts' periods */
  isRunning: boolean;
  bounds: readonly SpendBound[];
}

/** A feature whose usage is counted in a part. */
interface Counted {
  part: OpenPart;
  slug: string;
  now: Decimal;
  /** the most by which its amount rises while up to this many more units are used */
  rise: (more: Decimal) => Decimal;
  isFree: boolean;
}

/**
 * How many more units of each feature can be used in each open period without reaching any bound, however much of the
 * other features is used: a bound on several prices is divided equally among them. Where more units lower the price of
 * earlier ones, the dearest count on the way decides.
 *
 * The result holds until something of the customer other than its counted usage changes.
 *
 * @returns no entry for a feature whose bound is already reached
 * @example
 * const offer = plan('pro', { features: { calls: usage('1'), data: usage('0') } });
 * const story = signs('2025-01-01', offer);
 * story.uses('2025-01-05', 'calls', '20');
 * const { contract, periods, usage: totals } = workOn(story, '2025-01-05').snapshot;
 * const part = { contract, period: periods[0], usage: totals, earlier: [], isRunning: true };
 * const room = roomToSpend([{ ...part, bounds: [{ slug: null, below: '100.00' }] }], []);
 * room.map(({ slug, units }) => [slug, Number(units) > 70 && Number(units) < 80]) // [['calls', true], ['data', false]]
 */
export function roomToSpend(parts: readonly OpenPart[], pauses: Pause[]): UsageRoom[] {
  const all = parts.flatMap((part) => countedIn(part, pauses));
  const shares = Map.groupBy(
    parts.flatMap((part) => part.bounds.flatMap((bound) => sharesOf(all, part, bound))),
    ({ of }) => of,
  );
  return all.flatMap((one): UsageRoom[] => {
    const own = (shares.get(one) ?? []).map(({ money }) => money);
    if (own.includes(null)) return [];
    const least = own.reduce((before, money) => (before === null || money === null ? money : smaller(before, money)), own[0] ?? null);
    const { part, slug, rise } = one;
    const units = least === null ? null : mostUnits((more) => rise(more).lt(least));
    return [{ contractId: part.contract.id, idx: part.period.idx, slug, units }];
  });
}

/**
 * By how much the amount of each feature that a bound is on may rise; null: the bound is reached, so nothing is known.
 */
function sharesOf(all: readonly Counted[], part: OpenPart, { slug, below }: SpendBound): { of: Counted; money: Decimal | null }[] {
  const together = all.filter((one) => countsIn(one, part, slug));
  const left = dec(below).minus(sum(together.map(({ now }) => now)));
  // the bound is reached: only events of its own period look at it
  if (left.lte(0)) return together.filter((one) => one.part === part).map((of) => ({ of, money: null }));
  const money = left.div(Math.max(1, together.filter(({ isFree }) => !isFree).length));
  return together.map((of) => ({ of, money }));
}

/** Whether the usage of a feature in its own period counts for a bound on the usage of `part`. */
function countsIn({ part: own, slug }: Counted, part: OpenPart, bound: string | null): boolean {
  if (bound !== null) return own === part && slug === bound;
  if (own === part) return true;
  return own.isRunning && own.contract.id !== part.contract.id && own.contract.terms.currency === part.contract.terms.currency;
}

function countedIn(part: OpenPart, pauses: Pause[]): Counted[] {
  const priced = new Map(shownSources(part).map((source) => [source.source, source]));
  return reportedSources(part.contract.terms).flatMap(({ slug, source }): Counted[] => {
    if (slug === null) return [];
    const own = priced.get(source);
    return [own === undefined ? { part, slug, now: dec('0'), rise: () => dec('0'), isFree: true } : pricedIn(part, own, slug, pauses)];
  });
}

function pricedIn(part: OpenPart, source: Source, slug: string, pauses: Pause[]): Counted {
  const usageWith = (more: Decimal) =>
    usageOfSource({ ...part, usage: withMore(part.usage, part.period, slug, more) }, part.earlier, source, pauses);
  const { amount, unitsUsed } = usageWith(dec('0'));
  const peaks = fallsAfter(source.price).flatMap((count) => {
    const more = count.minus(unitsUsed);
    return more.gt(0) ? [{ more, amount: dec(usageWith(more).amount) }] : [];
  });
  const rise = (more: Decimal): Decimal =>
    peaks
      .filter((peak) => peak.more.lte(more))
      .reduce((most, peak) => larger(most, peak.amount), dec(usageWith(more).amount))
      .minus(amount);
  return { part, slug, now: dec(amount), rise, isFree: rise(ANY_USAGE).isZero() };
}
