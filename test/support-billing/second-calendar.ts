import { Temporal } from 'temporal-polyfill';

/**
 * The rules of time once more, from their texts and nothing of `billing/`: one period after the other, dates by
 * `Temporal`. Slow and plain, so that two different mistakes would be needed for both ways to be wrong alike.
 */
export type SecondCycle = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

const LENGTH: Record<SecondCycle, { hours?: number; days?: number; months?: number }> = {
  hour: { hours: 1 },
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
};
const DAY = 86_400_000;

export interface Frozen {
  from: number;
  to: number;
}

export interface Span {
  start: number;
  end: number;
  /** length of the whole natural period, without frozen time */
  whole: number;
}

/** A number of cycles after an instant, as a wall calendar counts them. */
export function cyclesLater(from: number, cycle: SecondCycle, n: number): number {
  const { hours = 0, days = 0, months = 0 } = LENGTH[cycle];
  const zoned = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO('UTC');
  return zoned.add({ hours: hours * n, days: days * n, months: months * n }).epochMilliseconds;
}

/** The first of the month, the Monday, the whole hour … at or before an instant. */
function secondNaturalStart(t: number, cycle: SecondCycle): number {
  if (cycle === 'hour') return Math.floor(t / 3_600_000) * 3_600_000;
  const date = Temporal.Instant.fromEpochMilliseconds(t).toZonedDateTimeISO('UTC').toPlainDate();
  if (cycle === 'day') return date.toZonedDateTime('UTC').epochMilliseconds;
  if (cycle === 'week') return date.subtract({ days: date.dayOfWeek - 1 }).toZonedDateTime('UTC').epochMilliseconds;
  const month = cycle === 'year' ? 1 : cycle === 'quarter' ? Math.floor((date.month - 1) / 3) * 3 + 1 : date.month;
  return date.with({ month, day: 1 }).toZonedDateTime('UTC').epochMilliseconds;
}

/** The aligned boundaries around an instant, in order. */
function alignedAround(t: number, cycle: SecondCycle, offset: number): number[] {
  return [-2, -1, 0, 1, 2].map((n) => {
    const natural = secondNaturalStart(cyclesLater(secondNaturalStart(t, cycle), cycle, n), cycle);
    return offset === 0 ? natural : Math.min(natural + offset * DAY, cyclesLater(natural, cycle, 1) - DAY);
  });
}

/**
 * The first periods of a contract, from one to the next. One that is frozen ends later, and those after it are counted
 * from there.
 */
export function spansOf(start: number, cycle: SecondCycle, offset: number | null, count: number, freezes: readonly Frozen[] = []): Span[] {
  const spans: Span[] = [];
  let anchor = { at: start, passed: 0, offset };
  for (let begin = start; spans.length < count; begin = spans.at(-1)?.end ?? start) {
    const due =
      anchor.offset === null
        ? cyclesLater(anchor.at, cycle, anchor.passed + 1)
        : Math.min(...alignedAround(begin, cycle, anchor.offset).filter((one) => one > begin));
    const before = anchor.offset === null ? begin : Math.max(...alignedAround(begin, cycle, anchor.offset).filter((one) => one <= begin));
    let end = due;
    for (const { from, to } of freezes) if (from >= begin && from < end) end += to - from;
    spans.push({ start: begin, end, whole: due - before });
    anchor = end === due ? { ...anchor, passed: anchor.passed + 1 } : { at: end, passed: 0, offset: null };
  }
  return spans;
}

/** Time of a span that isn't frozen, counted freeze by freeze. */
export function awake(from: number, to: number, freezes: readonly Frozen[]): number {
  return freezes.reduce((left, freeze) => left - Math.max(0, Math.min(to, freeze.to) - Math.max(from, freeze.from)), to - from);
}
