import type { Pause } from '../../billing/calendar/pauses.ts';
import { periodIdxAt, usagePeriodAt } from '../../billing/contract/period/periods.ts';
import type { Contract, UsageHandover } from '../../billing/contract/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { beginCounters } from '../../db/sql/usage/begin-counters.ts';
import { type EventToMove, eventsToMove } from '../../db/sql/usage/events-to-move.ts';
import { forgetWindows } from '../../db/sql/usage/forget-windows.ts';
import { insertPeriods } from '../../db/sql/usage/insert-periods.ts';
import { moveEvents } from '../../db/sql/usage/move-events.ts';
import { countUsage, type UsageChange } from '../../db/usage/count.ts';

/**
 * Gives the events after the instant of a change, and those counted in periods that never began, to the contract that
 * follows, each in the period it lies in by the calendar, which gets a row if it has none, as by the intake. That
 * concerns only events that were reported a little ahead of time, and with an estimate's token those reported since the
 * estimate. All others stay where they were reported, and inside a billing period the new contract's counters begin at
 * the values of the old ones.
 */
export async function handOver(
  tx: Queryable,
  handovers: readonly UsageHandover[],
  contractOf: (id: string) => { contract: Contract; pauses: Pause[] },
): Promise<void> {
  for (const handover of handovers) {
    const { fromContractId, toContractId, counters } = handover;
    const moved = await moveUsage(tx, handover, contractOf(toContractId));
    await countMoved(tx, fromContractId, moved.from, -1);
    if (counters !== null) {
      await beginCounters(tx, { contractId: fromContractId, idx: counters.fromIdx }, { contractId: toContractId, idx: counters.toIdx });
    }
    await countMoved(tx, toContractId, moved.to, 1);
    const { customerId } = contractOf(toContractId).contract;
    // a marker that has moved decides in its new period what counts, and in the old one no more
    for (const slug of new Set(moved.to.map((event) => event.slug))) await forgetWindows(tx, customerId, slug);
  }
}

/** @returns the events where they were, and where they are */
async function moveUsage(
  tx: Queryable,
  handover: UsageHandover,
  { contract, pauses }: { contract: Contract; pauses: Pause[] },
): Promise<{ from: EventToMove[]; to: EventToMove[] }> {
  const events = await eventsToMove(tx, handover);
  if (events.length === 0) return { from: [], to: [] };
  // usage held in a freeze may be dated before the contract: it counts where this begins
  const since = contract.began ?? Number.NEGATIVE_INFINITY;
  const countsAt = ({ timestamp }: EventToMove) => Math.max(timestamp, since);
  const moved = events.map((event) => ({ ...event, idx: periodIdxAt(contract, pauses, countsAt(event)) }));
  const one = new Map(moved.map((event) => [event.idx, event]));
  await insertPeriods(
    tx,
    [...one.values()].map((event) => usagePeriodAt(contract, pauses, countsAt(event))),
  );
  await moveEvents(tx, handover.toContractId, moved);
  return { from: events, to: moved };
}

async function countMoved(tx: Queryable, contractId: string, events: readonly EventToMove[], sign: 1 | -1): Promise<void> {
  for (const { idx, slug } of distinct(events)) {
    const own = events.filter((event) => event.idx === idx && event.slug === slug);
    const changes = own.map((event) => changeOf(event, sign));
    await countUsage(tx, { contractId, idx, slug }, changes);
  }
}

const distinct = (events: readonly EventToMove[]): EventToMove[] => [
  ...new Map(events.map((event) => [`${event.idx} ${event.slug}`, event])).values(),
];

/** A discarded event is in the lists, and counts nowhere. */
const changeOf = ({ units, timestamp: at, isAbsolute, isDiscarded }: EventToMove, sign: 1 | -1): UsageChange =>
  isDiscarded
    ? { units: '0', events: 0, listed: sign, at, isAbsolute: false }
    : { units: sign === 1 ? units : text(dec(units).negated()), events: sign, listed: sign, at, isAbsolute };
