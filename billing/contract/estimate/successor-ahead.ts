import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { dec, text } from '../../money/decimal.ts';
import { begunBy, periodIdxAt, runningIdx, usagePeriodAt } from '../period/periods.ts';
import { periodBounds } from '../period/time.ts';
import type { Contract, ContractSnapshot, EarlierPart, Outcome, UsageHandover, UsagePeriod, UsageTotal } from '../types.ts';
import { runningAfter } from './running-after.ts';

/**
 * The snapshot of the contract that a step has made out of another one, before anything is written: what the loader
 * would read of it afterwards.
 *
 * @param before the old contract as it was before the step
 * @returns null where the step made no contract out of it
 */
export function successorAhead(before: ContractSnapshot, { snapshot, effects }: Outcome, at: Instant): ContractSnapshot | null {
  const { contract: old, successor: fresh, customer, tax, corrections } = snapshot;
  if (before.contract.status === 'moved' || old.status !== 'moved' || fresh === null || fresh.isSuccessor) return null;
  const periods = effects.periods.filter(({ contractId, status }) => contractId === fresh.id && status !== 'closed');
  const handover = effects.handovers.find(({ toContractId }) => toContractId === fresh.id);
  const moved = handover === undefined ? [] : usageAfter(before, fresh, handover, at);
  return {
    contract: fresh,
    successor: null,
    customer,
    tax,
    periods: [...periods, ...periodsAhead(fresh, moved, effects.periods, customer.pauses)],
    usage: addedUp(moved.map(({ total }) => total)),
    earlier: earlierOf(before, old, effects.periods, periods),
    running: runningAfter(before.running, effects.lines),
    waiting: snapshot.waiting.filter((line) => [...fresh.carried.waiting, fresh.id].some((id) => id === line.contractId)),
    corrections,
    billed: snapshot.billed,
    now: snapshot.now,
  };
}

/** The parts of the billing period before the step, where the new contract's period goes on from them. */
function earlierOf(
  before: ContractSnapshot,
  old: Contract,
  written: readonly UsagePeriod[],
  periods: readonly UsagePeriod[],
): EarlierPart[] {
  const follows = periods.find((one) => one.follows !== null)?.follows;
  const period = written.find(({ contractId, idx }) => contractId === old.id && idx === follows?.idx);
  if (period === undefined) return [];
  const usage = before.usage
    .filter(({ periodIdx }) => periodIdx === period.idx)
    .map((total) => ({ ...total, units: total.unitsUntilNow, events: total.eventsUntilNow, marker: total.markerUntilNow }));
  return [...(period.follows === null ? [] : before.earlier), { contract: old, period, usage }];
}

/** What was reported for a time after the change, in the new contract's own periods, and since when. */
function usageAfter({ contract: old, customer, usage }: ContractSnapshot, fresh: Contract, { except }: UsageHandover, at: Instant) {
  const running = runningIdx(old) ?? 0;
  return usage.flatMap((total): MovedUsage[] => {
    if (except.includes(total.slug) || total.periodIdx < running) return [];
    const start = total.periodIdx === running ? at : Math.max(at, startOf(old, total.periodIdx, customer.pauses) ?? at);
    const rest = total.periodIdx === running ? restOf(total) : total;
    return rest === null ? [] : [{ total: placed(rest, fresh, customer.pauses, start), start }];
  });
}

interface MovedUsage {
  total: UsageTotal;
  start: Instant;
}

const addedUp = (totals: readonly UsageTotal[]): UsageTotal[] =>
  [...Map.groupBy(totals, ({ periodIdx, slug }) => `${periodIdx} ${slug}`).values()].map((some) => some.reduce(added));

/** The rows that moved usage makes for periods that haven't begun, as the write does. */
function periodsAhead(fresh: Contract, moved: readonly MovedUsage[], written: readonly UsagePeriod[], pauses: Pause[]): UsagePeriod[] {
  const known = new Set(written.flatMap(({ contractId, idx }) => (contractId === fresh.id ? [idx] : [])));
  const ahead = new Map(moved.map(({ total, start }) => [total.periodIdx, start]));
  return [...ahead].flatMap(([idx, start]) => (known.has(idx) ? [] : [usagePeriodAt(fresh, pauses, start)]));
}

/** When a period of a contract begins, by the calendar; null where that isn't known. */
function startOf(contract: Contract, idx: number, pauses: Pause[]): Instant | null {
  const begun = begunBy(contract, pauses, Number.POSITIVE_INFINITY);
  return begun.start === null || idx < 1 ? null : periodBounds(begun, idx, pauses).start;
}

function placed(total: UsageTotal, fresh: Contract, pauses: Pause[], start: Instant): UsageTotal {
  const { units, events, marker } = total;
  const untilNow = { unitsUntilNow: units, eventsUntilNow: events, markerUntilNow: marker };
  return { ...total, ...untilNow, contractId: fresh.id, periodIdx: periodIdxAt(fresh, pauses, start) };
}

/** What a period's total has after the change; null for nothing. */
function restOf(total: UsageTotal): UsageTotal | null {
  if (total.marker !== total.markerUntilNow) return total;
  const events = total.events - total.eventsUntilNow;
  if (events === 0) return null;
  return { ...total, events, units: text(dec(total.units).minus(total.unitsUntilNow)), marker: null };
}

function added(one: UsageTotal, later: UsageTotal): UsageTotal {
  if (later.marker !== null) return later;
  const units = text(dec(one.units).plus(later.units));
  const events = one.events + later.events;
  return { ...one, units, events, unitsUntilNow: units, eventsUntilNow: events };
}
