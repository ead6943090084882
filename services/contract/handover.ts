import type { Pause } from '../../billing/calendar/pauses.ts';
import { periodIdxAt } from '../../billing/contract/period/periods.ts';
import type { Contract, UsageHandover } from '../../billing/contract/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { beginCounters } from '../../db/sql/usage/begin-counters.ts';
import { eventsToMove } from '../../db/sql/usage/events-to-move.ts';
import { moveEvents } from '../../db/sql/usage/move-events.ts';
import { recountUsage } from '../../db/usage/recount.ts';

/**
 * Gives the events after the instant of a change, and those counted in periods that never began, to the contract that
 * follows, each in the period it lies in by the calendar. That concerns only events that were reported a little ahead
 * of time, and with an estimate's token those reported since the estimate. All others stay where they were reported,
 * and inside a billing period the new contract's counters begin at the values of the old ones.
 */
export async function handOver(
  tx: Queryable,
  handovers: readonly UsageHandover[],
  contractOf: (id: string) => { contract: Contract; pauses: Pause[] },
): Promise<void> {
  for (const handover of handovers) {
    const { fromContractId, toContractId, counters } = handover;
    const moved = await moveUsage(tx, handover, contractOf(toContractId));
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
async function moveUsage(
  tx: Queryable,
  handover: UsageHandover,
  { contract, pauses }: { contract: Contract; pauses: Pause[] },
): Promise<{ from: Place[]; to: Place[] }> {
  const events = await eventsToMove(tx, handover);
  if (events.length === 0) return { from: [], to: [] };
  const moved = events.map(({ id, slug, timestamp }) => ({ id, slug, idx: periodIdxAt(contract, pauses, timestamp) }));
  await moveEvents(tx, handover.toContractId, moved);
  return { from: distinct(events), to: distinct(moved) };
}

const distinct = (places: readonly Place[]): Place[] => [
  ...new Map(places.map(({ idx, slug }) => [`${idx} ${slug}`, { idx, slug }])).values(),
];
