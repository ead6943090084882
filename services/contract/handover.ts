import { iso } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { periodIdxAt } from '../../billing/contract/period/periods.ts';
import type { Contract, UsageHandover } from '../../billing/contract/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { beginCounters } from '../../db/sql/usage/begin-counters.ts';
import { recountUsage } from '../../db/usage/recount.ts';

interface EventRow extends Place {
  id: string;
  timestamp: number;
}

/**
 * Gives the events after the instant of a change, and those counted in periods that never began, to the contract that
 * follows, each in the period it lies in by the calendar. Only events reported a little ahead of time are concerned, or
 * since the estimate whose instant the change has; all others stay where they were reported, and inside a billing
 * period the counters of the new contract begin where the old ones stand.
 */
export async function handOver(
  tx: Queryable,
  handovers: readonly UsageHandover[],
  contractOf: (id: string) => { contract: Contract; pauses: Pause[] },
): Promise<void> {
  for (const handover of handovers) {
    const { fromContractId, toContractId, counters } = handover;
    const moved = await moveEvents(tx, handover, contractOf(toContractId));
    for (const { idx, slug } of moved.from) await recountUsage(tx, { contractId: fromContractId, idx, slug });
    if (counters !== null) {
      await beginCounters(tx, { contractId: fromContractId, idx: counters.fromIdx }, { contractId: toContractId, idx: counters.toIdx });
    }
    for (const { idx, slug } of moved.to) await recountUsage(tx, { contractId: toContractId, idx, slug });
  }
}

interface Place {
  idx: number;
  slug: string;
}

/** @returns the periods and features that events went from, and to */
async function moveEvents(
  tx: Queryable,
  { fromContractId, toContractId, after, afterIdx, except }: UsageHandover,
  { contract, pauses }: { contract: Contract; pauses: Pause[] },
): Promise<{ from: Place[]; to: Place[] }> {
  const events = await tx.query<EventRow>(
    `select id, timestamp, period_idx as idx, feature_slug as slug from usage_event
     where contract_id = $1 and (timestamp > $2 or period_idx > $3) and feature_slug <> all($4::text[])`,
    [fromContractId, after === null ? null : iso(after), afterIdx, except],
  );
  if (events.length === 0) return { from: [], to: [] };
  const moved = events.map(({ slug, timestamp }) => ({ slug, idx: periodIdxAt(contract, pauses, timestamp) }));
  await tx.query(
    `update usage_event set contract_id = $1, period_idx = x.idx from unnest($2::text[], $3::int[]) as x(id, idx) where usage_event.id = x.id`,
    [toContractId, events.map(({ id }) => id), moved.map(({ idx }) => idx)],
  );
  await markPeriods(tx, toContractId);
  return { from: distinct(events), to: distinct(moved) };
}

const distinct = (places: readonly Place[]): Place[] => [
  ...new Map(places.map(({ idx, slug }) => [`${idx} ${slug}`, { idx, slug }])).values(),
];

/** A marker that comes along is looked at for every later event of its period, as one that was reported there. */
async function markPeriods(tx: Queryable, contractId: string): Promise<void> {
  await tx.query(
    `update usage_period p set marked = true where p.contract_id = $1 and not p.marked
       and exists (select from usage_event e where e.contract_id = p.contract_id and e.period_idx = p.idx and e.is_absolute)`,
    [contractId],
  );
}
