import type { Pause } from '../../billing/calendar/pauses.ts';
import { usagePeriodAt } from '../../billing/contract/period/periods.ts';
import type { Contract, UsageHandover } from '../../billing/contract/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { stamp } from '../../db/rows.ts';
import { beginCounters } from '../../db/sql/usage/begin-counters.ts';
import { countersToMove } from '../../db/sql/usage/counters-to-move.ts';
import { type EventPlace, eventsToMove } from '../../db/sql/usage/events-to-move.ts';
import { forgetWindows } from '../../db/sql/usage/forget-windows.ts';
import { insertPeriods } from '../../db/sql/usage/insert-periods.ts';
import { markPeriod } from '../../db/sql/usage/mark-period.ts';
import { type MovedEvents, moveEvents } from '../../db/sql/usage/move-events.ts';
import type { CounterKey } from '../../db/sql/usage/part.ts';
import { countUsage, type UsageChange } from '../../db/usage/count.ts';

/** The most events that one statement moves. */
const AT_ONCE = 10_000;

/**
 * Moves usage events to the contract that follows: those after the instant of a change, and those counted in periods
 * that never began. Each goes to the period it lies in by the calendar; the period gets a row if it has none, as in the
 * intake. Such events were reported a little ahead of time, after the estimate whose token is used, or while a payment
 * or a worker was waited for. There may be millions, so Postgres moves and sums them, some thousands a statement, and
 * none is read here. All other events stay where they are; inside a billing period the new contract's counters begin at
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
    await countMoved(tx, moved, 'from', -1);
    if (counters !== null) {
      await beginCounters(tx, { contractId: fromContractId, idx: counters.fromIdx }, { contractId: toContractId, idx: counters.toIdx });
    }
    await countMoved(tx, moved, 'to', 1);
    const { customerId } = contractOf(toContractId).contract;
    // a moved marker decides what counts in its new period, and no longer in the old one
    for (const slug of new Set(moved.map(({ to }) => to.slug))) await forgetWindows(tx, customerId, slug);
  }
}

/** Events that were moved from one counter to another. */
interface Moved {
  from: CounterKey;
  to: CounterKey;
  events: MovedEvents;
}

interface Successor {
  contract: Contract;
  pauses: Pause[];
}

async function moveUsage(tx: Queryable, handover: UsageHandover, successor: Successor): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (const { idx, slug } of await countersToMove(tx, handover)) {
    const after = idx > handover.afterIdx ? null : handover.after;
    const begin = { timestamp: after === null ? '-infinity' : stamp(after), seq: null };
    moved.push(...(await moveCounted(tx, { contractId: handover.fromContractId, idx, slug }, begin, successor)));
  }
  for (const { to, events } of moved) if (events.hasMarkers) await markPeriod(tx, to);
  return moved;
}

/** Moves what one counter has behind a place, each statement into one period of the successor. */
async function moveCounted(tx: Queryable, from: CounterKey, begin: EventPlace, { contract, pauses }: Successor): Promise<Moved[]> {
  // usage held in a freeze may be dated before the contract begins: it counts from that beginning on
  const since = contract.began ?? Number.NEGATIVE_INFINITY;
  const moved: Moved[] = [];
  for (let behind = begin; ; ) {
    const next = await eventsToMove(tx, from, behind, AT_ONCE);
    if (next === null) return moved;
    const period = usagePeriodAt(contract, pauses, Math.max(next.first, since));
    const upTo = period.end !== null && period.end <= next.last ? { timestamp: stamp(period.end - 1), seq: null } : next.place;
    const to = { contractId: contract.id, idx: period.idx, slug: from.slug };
    if (moved.every((one) => one.to.idx !== to.idx)) await insertPeriods(tx, [period]);
    moved.push({ from, to, events: await moveEvents(tx, from, { behind, upTo }, to) });
    behind = upTo;
  }
}

/** Each counter once: where a marker was moved, all its events are summed again. */
async function countMoved(tx: Queryable, moved: readonly Moved[], side: 'from' | 'to', sign: 1 | -1): Promise<void> {
  const counters = Map.groupBy(moved, ({ [side]: { idx, slug } }) => `${idx} ${slug}`);
  for (const own of counters.values()) {
    const [{ [side]: counter }] = own as [Moved];
    await countUsage(
      tx,
      counter,
      own.map(({ events }) => changeOf(events, sign)),
    );
  }
}

/**
 * The change that moved events make to a counter. All events behind an instant were moved, so no marker that stays lies
 * between them.
 */
const changeOf = ({ units, events, listed, at, decides: isAbsolute }: MovedEvents, sign: 1 | -1): UsageChange => ({
  ...{ units: sign === 1 ? units : text(dec(units).negated()), events: sign * events, listed: sign * listed },
  ...{ at, isAbsolute },
});
