import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import type { PeriodicCycle } from '../../../billing/calendar/cycle.ts';
import { at, DAY, HOUR, type Instant } from '../../../billing/calendar/instant.ts';
import { type Pause, runningTime } from '../../../billing/calendar/pauses.ts';
import { boundary, indexOf, type Rhythm, spanRatio, wholeLength } from '../../../billing/calendar/rhythm.ts';
import { runs } from '../../support/runs.ts';
import { awake, cyclesLater, spansOf } from '../../support-billing/second-calendar.ts';

const CYCLES: PeriodicCycle[] = ['hour', 'day', 'week', 'month', 'quarter', 'year'];
const MAX_OFFSET: Record<PeriodicCycle, number> = { hour: 0, day: 0, week: 6, month: 30, quarter: 91, year: 365 };
const LENGTH: Record<PeriodicCycle, number> = { hour: HOUR, day: DAY, week: 7 * DAY, month: 31 * DAY, quarter: 92 * DAY, year: 366 * DAY };

// Whole days and hours as often as any millisecond, since that is where boundaries meet.
const start = fc.oneof(
  fc.integer({ min: at('1990-01-01') / DAY, max: at('2090-01-01') / DAY }).map((days) => days * DAY),
  fc.integer({ min: at('1990-01-01') / HOUR, max: at('2090-01-01') / HOUR }).map((hours) => hours * HOUR),
  fc.integer({ min: at('1990-01-01'), max: at('2090-01-01') }),
);
const shape = fc
  .constantFrom(...CYCLES)
  .chain((cycle) => fc.record({ cycle: fc.constant(cycle), offset: fc.option(fc.integer({ min: 0, max: MAX_OFFSET[cycle] })) }));

/** Freezes after the start, their gaps and lengths in parts of a cycle, some of them exactly on its multiples. */
function pausesAfter(from: Instant, length: number, gaps: [number, number][]): Pause[] {
  let clock = from;
  return gaps.map(([gap, frozen]) => {
    const begin = clock + Math.round((gap * length) / 8);
    clock = begin + Math.round((frozen * length) / 8) + 1;
    return { from: begin, to: clock };
  });
}

const gaps = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 })), { maxLength: 5 });
const rhythm = fc
  .tuple(start, shape, gaps)
  .map(([from, { cycle, offset }, list]): Rhythm => ({ start: from, cycle, offset, pauses: pausesAfter(from, LENGTH[cycle], list) }));
const index = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 2_000 }));

function known(of: Rhythm, n: number): Instant {
  const found = boundary(of, n);
  if (found === null) throw new Error(`boundary ${n} is unknown`);
  return found;
}

test('each boundary lies after the one before it, so no period is empty', () => {
  fc.assert(
    fc.property(rhythm, index, (of, n) => {
      expect(known(of, n)).toBeLessThan(known(of, n + 1));
    }),
    runs(),
  );
});

test('the index of a boundary is its number, and so is that of the last millisecond before the next one', () => {
  fc.assert(
    fc.property(rhythm, index, (of, n) => {
      expect(indexOf(of, known(of, n))).toBe(n);
      expect(indexOf(of, known(of, n + 1) - 1)).toBe(n);
    }),
    runs(),
  );
});

test('an instant lies in the period of its index', () => {
  fc.assert(
    fc.property(rhythm, fc.double({ min: 0, max: 1_000, noNaN: true }), (of, cycles) => {
      const t = of.start + Math.floor(cycles * LENGTH[of.cycle as PeriodicCycle]);
      const n = indexOf(of, t);
      expect(known(of, n)).toBeLessThanOrEqual(t);
      expect(known(of, n + 1)).toBeGreaterThan(t);
    }),
    runs(),
  );
});

test('boundaries before the start have their numbers too', () => {
  fc.assert(
    fc.property(rhythm, fc.integer({ min: -200, max: -1 }), (of, n) => {
      expect(known(of, n)).toBeLessThan(known(of, n + 1));
      expect(indexOf(of, known(of, n))).toBe(n);
    }),
    runs(),
  );
});

test('anchored boundaries are the start plus n cycles, as Temporal adds them, never chained', () => {
  fc.assert(
    fc.property(start, fc.constantFrom(...CYCLES), fc.integer({ min: -500, max: 500 }), (from, cycle, n) => {
      const amount = {
        hour: { hours: n },
        day: { days: n },
        week: { weeks: n },
        month: { months: n },
        quarter: { months: 3 * n },
        year: { years: n },
      };
      const expected = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO('UTC').add(amount[cycle]).epochMilliseconds;
      expect(boundary({ start: from, cycle, offset: null, pauses: [] }, n)).toBe(expected);
    }),
    runs(),
  );
});

/** The first aligned boundaries after the start, found by looking at every single day. */
function byLooking(from: Instant, cycle: 'week' | 'month' | 'quarter' | 'year', offset: number, count: number): Instant[] {
  const found: Instant[] = [];
  let day = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO('UTC').toPlainDate();
  while (found.length < count) {
    const midnight = day.toZonedDateTime('UTC').epochMilliseconds;
    const first = naturalFirst(day, cycle);
    const length = { week: { days: 7 }, month: { months: 1 }, quarter: { months: 3 }, year: { years: 1 } }[cycle];
    const last = first.add(length).subtract({ days: 1 });
    const wished = first.add({ days: offset });
    const due = Temporal.PlainDate.compare(wished, last) > 0 ? last : wished;
    if (midnight > from && due.equals(day)) found.push(midnight);
    day = day.add({ days: 1 });
  }
  return found;
}

function naturalFirst(day: Temporal.PlainDate, cycle: 'week' | 'month' | 'quarter' | 'year'): Temporal.PlainDate {
  if (cycle === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  if (cycle === 'month') return day.with({ day: 1 });
  if (cycle === 'quarter') return day.with({ day: 1, month: day.month - ((day.month - 1) % 3) });
  return day.with({ day: 1, month: 1 });
}

test('aligned boundaries are those one finds by looking at every day', () => {
  const aligned = fc.constantFrom('week', 'month', 'quarter', 'year' as const) as fc.Arbitrary<'week' | 'month' | 'quarter' | 'year'>;
  fc.assert(
    fc.property(start, aligned, fc.nat(), (from, cycle, seed) => {
      const offset = seed % (MAX_OFFSET[cycle] + 1);
      const of: Rhythm = { start: from, cycle, offset, pauses: [] };
      const count = cycle === 'year' ? 2 : 4;
      expect(Array.from({ length: count }, (_, i) => known(of, i + 1))).toEqual(byLooking(from, cycle, offset, count));
    }),
    runs(0.2),
  );
});

test('a freeze moves the end of the period it fell into by its length, no earlier boundary, and all later ones are counted from that end', () => {
  fc.assert(
    fc.property(
      rhythm,
      fc.nat(40),
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.integer({ min: 1, max: 400 * DAY }),
      (of, n, after, d) => {
        const last = of.pauses.at(-1)?.to ?? of.start;
        const from = last + Math.floor(after * LENGTH[of.cycle as PeriodicCycle]);
        const frozen: Rhythm = { ...of, pauses: [...of.pauses, { from, to: from + d }] };
        const within = indexOf(of, from);
        const end = known(of, within + 1) + d;
        expect(known(frozen, Math.min(n, within))).toBe(known(of, Math.min(n, within)));
        expect(known(frozen, within + 1)).toBe(end);
        expect(known(frozen, within + 1 + n)).toBe(cyclesLater(end, of.cycle as PeriodicCycle, n));
      },
    ),
    runs(),
  );
});

test('frozen or not, anchored or aligned, periods and their natural lengths are those one comes to from one period to the next', () => {
  fc.assert(
    fc.property(rhythm, fc.integer({ min: 1, max: 30 }), (of, count) => {
      const freezes = of.pauses.map(({ from, to }) => ({ from, to: to ?? from }));
      const spans = spansOf(of.start, of.cycle as PeriodicCycle, of.offset, count, freezes);
      expect(spans.map((_span, n) => ({ start: known(of, n), end: known(of, n + 1), whole: wholeLength(of, n) }))).toEqual(spans);
      const [{ start: begin, end }] = spans.slice(-1) as [(typeof spans)[0]];
      const middle = begin + Math.floor((end - begin) / 3);
      expect(spanRatio(of, count - 1, middle, end).part).toBe(awake(middle, end, freezes));
    }),
    runs(0.5),
  );
});

test('while a freeze is open, boundaries before it are known and later ones are not', () => {
  fc.assert(
    fc.property(rhythm, index, fc.double({ min: 0, max: 20, noNaN: true }), (of, n, after) => {
      const last = of.pauses.at(-1)?.to ?? of.start;
      const from = last + Math.floor(after * LENGTH[of.cycle as PeriodicCycle]);
      const open: Rhythm = { ...of, pauses: [...of.pauses, { from, to: null }] };
      const before = known(of, n);
      expect(boundary(open, n)).toBe(before > from ? null : before);
      expect(known(open, indexOf(open, from + 1_000 * DAY))).toBeLessThanOrEqual(from);
    }),
    runs(),
  );
});

test('a whole period runs for its whole natural length, the stub for no more', () => {
  fc.assert(
    fc.property(rhythm, index, (of, n) => {
      const running = runningTime(known(of, n), known(of, n + 1), of.pauses);
      if (n > 0 || of.offset === null) expect(running).toBe(wholeLength(of, n));
      else expect(running).toBeLessThanOrEqual(wholeLength(of, n));
      expect(wholeLength(of, n)).toBeLessThanOrEqual(LENGTH[of.cycle as PeriodicCycle] + (of.offset === null ? 0 : 2 * DAY));
    }),
    runs(),
  );
});

test('the shares of a period before and after any cut add up to the period’s share', () => {
  fc.assert(
    fc.property(rhythm, index, fc.double({ min: 0, max: 1, noNaN: true }), (of, n, cut) => {
      const [from, to] = [known(of, n), known(of, n + 1)];
      const middle = from + Math.floor(cut * (to - from));
      const [whole, before, after] = [spanRatio(of, n, from, to), spanRatio(of, n, from, middle), spanRatio(of, n, middle, to)];
      expect(before.part + after.part).toBe(whole.part);
      expect([before.whole, after.whole]).toEqual([whole.whole, whole.whole]);
      expect(Number.isSafeInteger(before.part) && before.part >= 0).toBe(true);
    }),
    runs(),
  );
});

test('boundaries depend on the start and n alone: the order in which they are asked for doesn’t matter', () => {
  fc.assert(
    fc.property(rhythm, fc.array(index, { minLength: 2, maxLength: 6 }), (of, ns) => {
      const forward = ns.map((n) => known(of, n));
      const backward = ns.toReversed().map((n) => known(of, n));
      expect(backward.toReversed()).toEqual(forward);
    }),
    runs(0.5),
  );
});
