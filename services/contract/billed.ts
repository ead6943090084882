import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { usageSources } from '../../billing/contract/period/sources.ts';
import type { Contract, EarlierPart, UsagePeriod } from '../../billing/contract/types.ts';
import type { BilledParts } from '../../billing/invoice/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { billedUsage, type PricedPlace } from '../../db/sql/contract/billed-usage.ts';

/**
 * What invoice thresholds have charged of open periods and of the parts before them, by contract. Nothing is read where
 * no threshold was ever set.
 */
export async function billedOf(
  tx: Queryable,
  contracts: Iterable<Contract>,
  open: ReadonlyMap<string, readonly UsagePeriod[]>,
  earlier: ReadonlyMap<string, readonly EarlierPart[]>,
): Promise<Map<string, BilledParts[]>> {
  const places = new Map<string, PricedPlace[]>();
  for (const contract of contracts) {
    const parts = earlier.get(contract.id) ?? [];
    if (![contract, ...parts.map((part) => part.contract)].some(hasThreshold)) continue;
    const own = (open.get(contract.id) ?? []).flatMap((period) => placesOf(contract, period));
    places.set(contract.id, [...parts.flatMap((part) => placesOf(part.contract, part.period)), ...own]);
  }
  const found = new Map((await billedUsage(tx, distinct([...places.values()].flat()))).map((one) => [keyOf(one), one]));
  return new Map([...places].map(([id, own]) => [id, own.flatMap((place) => found.get(keyOf({ ...place, periodIdx: place.idx })) ?? [])]));
}

const placesOf = ({ terms }: Contract, { contractId, idx, start, from }: UsagePeriod): PricedPlace[] =>
  usageSources(terms).map(({ source }) => ({ contractId, idx, source, began: Math.min(start, from) }));

const keyOf = ({ contractId, periodIdx, source }: Pick<BilledParts, 'contractId' | 'periodIdx' | 'source'>): string =>
  `${contractId} ${periodIdx} ${source}`;

const distinct = (places: readonly PricedPlace[]): PricedPlace[] => [
  ...new Map(places.map((place) => [keyOf({ ...place, periodIdx: place.idx }), place])).values(),
];
