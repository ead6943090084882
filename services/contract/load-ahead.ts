import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { isLive } from '../../billing/contract/period/time.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import { USAGE_THRESHOLD } from '../../db/agenda/contract-kinds.ts';
import type { Queryable } from '../../db/connect.ts';
import { UsageCounter } from '../../db/entities/usage.ts';
import { usageOfPeriods } from '../../db/sql/contract/usage-totals.ts';
import { keyOf } from '../../db/sql/usage/part.ts';
import { ALL_TIME, loadSnapshots } from './load.ts';

/** Usage is reported at most an hour ahead; a contract that is later than this is caught up first. */
const MOST_COUNTERS = 1_000;

/** A chain has one contract with more than usage to close; each change may leave one with that. */
export const MOST_IN_CHAIN = 200;

/**
 * Snapshots for a look ahead: beside what `loadSnapshots` reads also the usage of periods that have no row yet, since
 * their contract hasn't come to them.
 *
 * @param running as `loadSnapshots`
 */
export async function loadAhead(
  { em, tx }: { em: EntityManager; tx: Queryable },
  contractIds: readonly string[],
  now: Instant,
  running: 'all' | 'ending',
): Promise<ContractSnapshot[]> {
  const snapshots = await loadSnapshots(tx, contractIds, now, { running, ahead: true });
  const live = snapshots.filter(({ contract }) => isLive(contract));
  if (live.length === 0) return snapshots;
  const later = live.map(({ contract }) => ({ contractId: contract.id, periodIdx: { $gt: contract.currentIdx ?? 0 } }));
  const soonest = { fields: ['contractId', 'periodIdx'], orderBy: { periodIdx: 'asc' }, limit: MOST_COUNTERS } as const;
  const counters = await em.find(UsageCounter, { $or: later }, soonest);
  const known = new Set(snapshots.flatMap(({ periods }) => periods.map(keyOf)));
  const places = counters.map(({ contractId, periodIdx: idx }) => ({ contractId, idx }));
  const missing = places.filter((place) => !known.has(keyOf(place)));
  const distinct = [...new Map(missing.map((place) => [keyOf(place), place])).values()];
  const totals = await usageOfPeriods(tx, distinct, () => ALL_TIME);
  return snapshots.map((one) => {
    const own = totals.filter(({ contractId }) => contractId === one.contract.id);
    return own.length === 0 ? one : { ...one, usage: [...one.usage, ...own] };
  });
}

/** A freeze that ends by itself has its end already: what comes after it is known. */
export function onceActive(snapshot: ContractSnapshot, resumeAt: Instant | null): ContractSnapshot {
  const { customer } = snapshot;
  if (customer.status !== 'inactive' || resumeAt === null) return snapshot;
  const pauses = customer.pauses.map(({ from, to }) => ({ from, to: to ?? resumeAt }));
  return { ...snapshot, customer: { ...customer, status: next(customerMachine, customer.status, 'activate'), pauses } };
}

/** What a look ahead needs of the agenda. */
export const ROW_AHEAD = ['contractId', 'kind', 'dueAt'] as const;

export interface RowAhead {
  contractId: string | null;
  kind: string;
  dueAt: Instant;
}

/** When the agenda has the invoice thresholds of contracts looked at. */
export const plannedLooks = (rows: readonly RowAhead[]): Map<string, Instant> =>
  new Map(rows.flatMap(({ contractId, kind, dueAt }) => (contractId !== null && kind === USAGE_THRESHOLD ? [[contractId, dueAt]] : [])));
