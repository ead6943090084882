import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract, TermFeature } from '../../billing/contract/types.ts';
import { isUnits, isUsage } from '../../billing/pricing/price.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { UsageCounter, UsagePeriodRecord } from '../../db/entities/usage.ts';

/** Units of a feature in the running period, against what they are measured by. */
export interface RunningUsage {
  slug: string;
  name: string;
  unitName: string;
  used: string;
  /** `bought` in advance, or the `maximum` at the normal price; null where nothing limits it */
  limit: { kind: 'bought' | 'maximum'; units: string } | null;
}

/** The usage of one billing period, by feature. */
export interface PeriodUsage {
  from: Instant;
  until: Instant | null;
  isTrial: boolean;
  isRunning: boolean;
  units: ReadonlyMap<string, string>;
}

/** Billing periods that a plot shows. */
const PERIODS_SHOWN = 12;
/** A period that changes have divided has several rows; after more changes than these fewer periods are shown. */
const MOST_PARTS = 60;
const MOST_CONTRACTS = 60;

/**
 * What is measured of a contract: features whose usage is charged, and those with bought units where usage was
 * reported.
 */
export function runningUsage({ terms: { features } }: Pick<Contract, 'terms'>, used: ReadonlyMap<string, string>): RunningUsage[] {
  return features.flatMap((feature) => measured(feature, used.get(feature.slug)) ?? []);
}

function measured({ slug, name, price }: TermFeature, reported: string | undefined): RunningUsage | null {
  if (price === null) return null;
  const { strategy } = price;
  const used = reported ?? '0';
  if (isUsage(strategy)) {
    const limit = strategy.maximumUnits === null ? null : { kind: 'maximum' as const, units: strategy.maximumUnits };
    return { slug, name, unitName: strategy.unitName, used, limit };
  }
  if (!isUnits(strategy) || reported === undefined) return null;
  return { slug, name, unitName: strategy.unitName, used, limit: { kind: 'bought', units: strategy.unitCount } };
}

/**
 * The usage of the last billing periods along the chain of a contract, oldest first. A change inside a period makes a
 * second row of it, whose counters go on from the first; only the last row of a period is shown.
 */
export async function usageOfLastPeriods(em: EntityManager, { rootId }: Pick<Contract, 'rootId'>, now: Instant): Promise<PeriodUsage[]> {
  const chain = await em.find(
    ContractRecord,
    { rootId },
    { fields: ['id', 'currentIdx'], orderBy: { created: 'desc', id: 'desc' }, limit: MOST_CONTRACTS },
  );
  const last = chain.map(({ id, currentIdx }) => ({ contractId: id, idx: { $gte: (currentIdx ?? 0) - PERIODS_SHOWN } }));
  const begun = { $or: last, from: { $lte: now } };
  const parts = await em.find(UsagePeriodRecord, begun, { orderBy: { from: 'desc', idx: 'desc' }, limit: MOST_PARTS });
  const goneOn = new Set(parts.map(({ follows }) => (follows == null ? '' : keyOf(follows.contractId, follows.idx))));
  const shown = parts.filter(({ contractId, idx }) => !goneOn.has(keyOf(contractId, idx))).slice(0, PERIODS_SHOWN);
  if (shown.length === 0) return [];
  const counted = await em.find(UsageCounter, { $or: shown.map(({ contractId, idx }) => ({ contractId, periodIdx: idx })) });
  const units = Map.groupBy(counted, ({ contractId, periodIdx }) => keyOf(contractId, periodIdx));
  const periods = shown.map(
    ({ contractId, idx, start, end, from, until, follows, ...period }): PeriodUsage => ({
      from: follows == null ? from : start,
      until: until ?? end,
      isTrial: idx === 0,
      isRunning: period.status === 'open' && (until ?? end ?? Number.POSITIVE_INFINITY) > now,
      units: new Map((units.get(keyOf(contractId, idx)) ?? []).map((counter) => [counter.featureSlug, counter.units])),
    }),
  );
  return periods.reverse();
}

const keyOf = (contractId: string, idx: number): string => `${contractId} ${idx}`;
