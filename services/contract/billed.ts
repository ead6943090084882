import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import type { Contract, EarlierPart, UsagePeriod } from '../../billing/contract/types.ts';
import type { BilledLine } from '../../billing/invoice/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { billedUsage } from '../../db/sql/contract/billed-usage.ts';

/**
 * What invoice thresholds have charged of open periods and of the parts before them, by contract. Nothing is read where
 * no threshold was ever set.
 */
export async function billedOf(
  tx: Queryable,
  contracts: Iterable<Contract>,
  open: ReadonlyMap<string, readonly UsagePeriod[]>,
  earlier: ReadonlyMap<string, readonly EarlierPart[]>,
): Promise<Map<string, BilledLine[]>> {
  const places = new Map<string, UsagePeriod[]>();
  for (const contract of contracts) {
    const parts = earlier.get(contract.id) ?? [];
    if (![contract, ...parts.map((part) => part.contract)].some(hasThreshold)) continue;
    places.set(contract.id, [...parts.map(({ period }) => period), ...(open.get(contract.id) ?? [])]);
  }
  const found = Map.groupBy(await billedUsage(tx, distinct([...places.values()].flat())), keyOf);
  return new Map(
    [...places].map(([id, periods]) => [id, periods.flatMap((period) => found.get(keyOf({ ...period, periodIdx: period.idx })) ?? [])]),
  );
}

const keyOf = ({ contractId, periodIdx }: Pick<BilledLine, 'contractId' | 'periodIdx'>): string => `${contractId} ${periodIdx}`;

const distinct = (periods: readonly UsagePeriod[]): UsagePeriod[] => [
  ...new Map(periods.map((period) => [keyOf({ ...period, periodIdx: period.idx }), period])).values(),
];
