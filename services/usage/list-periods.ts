import type { Contract, EarlierPart, UsagePeriod, UsageTotal } from '../../billing/contract/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { contractsOf } from '../../db/contract/earlier-parts.ts';
import { keyOf, type PartKey } from '../../db/sql/usage/part.ts';
import { partsBefore } from '../../db/sql/usage/periods-before.ts';
import { type Counters, readCounters } from '../../db/sql/usage/read-counters.ts';

/** Usage periods of a contract with what was counted in each, and in those before them in the same billing period. */
export interface PeriodsUsage {
  /** parts before the periods that go on from a predecessor's, by idx, oldest first */
  earlier: ReadonlyMap<number, readonly EarlierPart[]>;
  totals: UsageTotal[];
}

/**
 * The usage of some of a contract's periods, read from the counters, which are always up to date and cheap to read
 * however many events there are.
 */
export async function readPeriodsUsage(db: Queryable, periods: readonly UsagePeriod[]): Promise<PeriodsUsage> {
  const following = periods.filter(({ follows }) => follows !== null);
  const found = await partsBefore(db, following);
  const before = new Map(following.map((key) => [key.idx, found.get(keyOf(key)) ?? []]));
  const parts = [...before.values()].flat();
  const counters = await readCounters(db, [...periods, ...parts]);
  const of = await contractsOf(db, parts);
  return {
    earlier: new Map([...before].map(([idx, some]) => [idx, earlierOf(some, of, counters)])),
    totals: periods.flatMap((period) => totalsOf(period, before.get(period.idx)?.at(-1), counters)),
  };
}

/** The parts of a billing period before a change, with what was counted in each. */
export function earlierOf(periods: readonly UsagePeriod[], contracts: ReadonlyMap<string, Contract>, counters: Counters): EarlierPart[] {
  return periods.flatMap((period, index) => {
    const contract = contracts.get(period.contractId);
    return contract === undefined ? [] : [{ contract, period, usage: totalsOf(period, periods[index - 1], counters) }];
  });
}

/**
 * What was counted in one period, of counters of it and of the one before it. A counter has the units of the billing
 * period; a part's own units are what it has beyond the counter of the part before.
 */
export function totalsOf({ contractId, idx }: PartKey, before: PartKey | undefined, counters: Counters): UsageTotal[] {
  const known = before === undefined ? [] : counters.of(before);
  return counters.of({ contractId, idx }).map(({ slug, units: counted }) => {
    const units = text(dec(counted).minus(known.find((one) => one.slug === slug)?.units ?? '0'));
    const none = { events: 0, marker: null, eventsUntilNow: 0, markerUntilNow: null };
    return { contractId, periodIdx: idx, slug, units, unitsUntilNow: units, ...none };
  });
}
