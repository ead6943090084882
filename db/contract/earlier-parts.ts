import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract, EarlierPart, UsagePeriod } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { contractsByIds } from '../sql/contract/by-ids.ts';
import { usageOfPeriods } from '../sql/contract/usage-totals.ts';
import { keyOf, type PartKey } from '../sql/usage/part.ts';
import { periodsBefore } from '../sql/usage/periods-before.ts';
import { periodsByKeys } from '../sql/usage/periods-by-keys.ts';

/**
 * The parts of a billing period on predecessors, oldest first, with the sums of their events, by the contract whose
 * period goes on from them.
 */
export async function earlierParts(tx: Queryable, periods: readonly UsagePeriod[], now: Instant): Promise<Map<string, EarlierPart[]>> {
  const before = await periodsBefore(
    tx,
    periods.filter(({ follows }) => follows !== null),
  );
  const all = [...new Map([...before.values()].flat().map((period) => [keyOf(period), period])).values()];
  if (all.length === 0) return new Map();
  const contracts = await contractsOf(tx, all);
  const totals = Map.groupBy(await usageOfPeriods(tx, all, () => now), ({ contractId, periodIdx: idx }) => keyOf({ contractId, idx }));
  const partOf = (period: UsagePeriod): EarlierPart => ({
    contract: contracts.get(period.contractId) ?? missing(period.contractId),
    period,
    usage: totals.get(keyOf(period)) ?? [],
  });
  return new Map([...before].map(([id, some]) => [id, some.map(partOf)]));
}

/** The contracts of some periods. */
export async function contractsOf(tx: Queryable, periods: readonly UsagePeriod[]): Promise<Map<string, Contract>> {
  const found = await contractsByIds(tx, [...new Set(periods.map(({ contractId }) => contractId))]);
  return new Map(found.map((contract) => [contract.id, contract]));
}

export type CorrectedPart = Pick<EarlierPart, 'period' | 'usage'>;

/** The periods to correct, each after its earlier parts, with the sums of their events. */
export async function correctedParts(tx: Queryable, keys: readonly PartKey[], now: Instant): Promise<Map<string, CorrectedPart[]>> {
  const periods = await periodsByKeys(tx, keys);
  const totals = Map.groupBy(await usageOfPeriods(tx, periods, () => now), ({ contractId, periodIdx: idx }) => keyOf({ contractId, idx }));
  const earlier = await earlierParts(tx, periods, now);
  return new Map(
    periods.map((period) => {
      const before = period.follows === null ? [] : (earlier.get(period.contractId) ?? []);
      return [keyOf(period), [...before, { period, usage: totals.get(keyOf(period)) ?? [] }]];
    }),
  );
}

function missing(id: string): never {
  throw new Error(`the contract ${id} of a usage period does not exist`);
}
