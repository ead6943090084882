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
  const features = new Map(parts.map((part) => [part, countedIn(part, pauses)]));
  const aroundOf = totalsAround(features);
  const ofAll = new Map(parts.map((part) => [part, sharesOf(part, null, () => aroundOf(part))]));
  const elsewhere = leastElsewhere(ofAll);
  return [...features].flatMap(([part, own]) =>
    own.flatMap((one): UsageRoom[] => {
      const ofOne = sharesOf(part, one.slug, () => totalOf(own.filter(({ slug }) => slug === one.slug)));
      const shares = [...(ofAll.get(part) ?? []), ...ofOne];
      const known = shares.filter((share) => share !== null);
      if (known.length < shares.length) return [];
      const least = leastOf([...known, ...(part.isRunning ? elsewhere(part) : [])]);
      const units = least === null ? null : mostUnits((more) => one.rise(more).lt(least));
      return [{ contractId: part.contract.id, idx: part.period.idx, slug: one.slug, units }];
    }),
  );
}

/** What features come to, and how many of them cost something. */
interface Total {
  now: Decimal;
  priced: number;
}

const totalOf = (some: readonly Counted[]): Total => ({
  now: sum(some.map(({ now }) => now)),
  priced: some.filter(({ isFree }) => !isFree).length,
});

const NO_TOTAL: Total = { now: dec('0'), priced: 0 };
const added = (a: Total, b: Total): Total => ({ now: a.now.plus(b.now), priced: a.priced + b.priced });
const takenOff = (a: Total, b: Total): Total => ({ now: a.now.minus(b.now), priced: a.priced - b.priced });

/**
 * What counts for a bound of a part on all features: its own, and those of the running periods of other contracts in
 * the currency. The running ones are added up once, however many parts there are.
 */
function totalsAround(features: ReadonlyMap<OpenPart, readonly Counted[]>): (part: OpenPart) => Total {
  const totals = new Map([...features].map(([part, own]) => [part, totalOf(own)]));
  const running = [...totals].filter(([{ isRunning }]) => isRunning);
  const together = (keyOf: (part: OpenPart) => string): Map<string, Total> =>
    new Map(
      [...Map.groupBy(running, ([part]) => keyOf(part))].map(([key, some]) => [
        key,
        some.reduce((total, [, own]) => added(total, own), NO_TOTAL),
      ]),
    );
  const ofContract = ({ contract }: OpenPart): string => `${contract.terms.currency} ${contract.id}`;
  const [inCurrency, inContract] = [together(currencyOf), together(ofContract)];
  return (part) => {
    const others = takenOff(inCurrency.get(currencyOf(part)) ?? NO_TOTAL, inContract.get(ofContract(part)) ?? NO_TOTAL);
    return added(totals.get(part) ?? NO_TOTAL, others);
  };
}

const currencyOf = ({ contract }: OpenPart): string => contract.terms.currency;

/**
 * By how much each amount that counts for bounds of a part may rise; null: a bound is reached, so nothing is known, and
 * only events of its own period look at it.
 *
 * @param of the feature that the bounds are on; null: all
 */
function sharesOf({ bounds }: OpenPart, of: string | null, total: () => Total): (Decimal | null)[] {
  const own = bounds.filter(({ slug }) => slug === of);
  if (own.length === 0) return [];
  const { now, priced } = total();
  return own.map(({ below }) => {
    const left = dec(below).minus(now);
    return left.lte(0) ? null : left.div(Math.max(1, priced));
  });
}

/** The least that bounds of other contracts on all features leave to a running part; nothing where there is none. */
function leastElsewhere(ofAll: ReadonlyMap<OpenPart, readonly (Decimal | null)[]>): (part: OpenPart) => Decimal[] {
  const left = [...ofAll].flatMap(([part, shares]) => shares.flatMap((share) => (share === null ? [] : [{ part, share }])));
  const smallest = new Map(
    [...Map.groupBy(left, ({ part }) => currencyOf(part))].map(([currency, some]) => {
      const [first, ...more] = some.toSorted((a, b) => a.share.cmp(b.share));
      const other = more.find(({ part }) => part.contract.id !== first?.part.contract.id);
      return [currency, [first, other].filter((one) => one !== undefined)];
    }),
  );
  return (part) => {
    const one = (smallest.get(currencyOf(part)) ?? []).find(({ part: { contract } }) => contract.id !== part.contract.id);
    return one === undefined ? [] : [one.share];
  };
}

const leastOf = (shares: readonly Decimal[]): Decimal | null =>
  shares.reduce<Decimal | null>((least, share) => (least === null ? share : smaller(least, share)), null);

function countedIn(part: OpenPart, pauses: Pause[]): Counted[] {
  const priced = new Map(shownSources(part).map((source) => [source.source, source]));
  return reportedSources(part.contract.terms).flatMap(({ slug, source }): Counted[] => {
    if (slug === null) return [];
    const own = priced.get(source);
    return [own === undefined ? { slug, now: dec('0'), rise: () => dec('0'), isFree: true } : pricedIn(part, own, slug, pauses)];
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
  return { slug, now: dec(amount), rise, isFree: rise(ANY_USAGE).isZero() };
}
