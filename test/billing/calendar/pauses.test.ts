import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import { type Pause, pausesSince, runningTime, shift, unshift } from '../../../billing/calendar/pauses.ts';
import { runs } from '../../support/runs.ts';

const pause = (from: string, to: string | null): Pause => ({ from: at(from), to: to === null ? null : at(to) });
const tenth = pause('2025-01-10', '2025-01-15');

function shifted(t: string, pauses: Pause[]): string | null {
  const moved = shift(at(t), pauses);
  return moved === null ? null : iso(moved).slice(0, 10);
}

test.each([
  ['1 Feb by 5 days', '2025-02-01', [tenth], '2025-02-06'],
  ['9 Jan, before it, not at all', '2025-01-09', [tenth], '2025-01-09'],
  ['10 Jan, its very beginning, not at all', '2025-01-10', [tenth], '2025-01-10'],
  ['11 Jan, within it, by all 5 days', '2025-01-11', [tenth], '2025-01-16'],
  ['nothing without pauses', '2025-02-01', [], '2025-02-01'],
  ['1 Feb by 5 and by 2 days', '2025-02-01', [tenth, pause('2025-01-20', '2025-01-22')], '2025-02-08'],
  ['1 Feb into a second one at 3 Feb', '2025-02-01', [tenth, pause('2025-02-03', '2025-02-10')], '2025-02-13'],
  ['1 Feb up to a second one at 6 Feb', '2025-02-01', [tenth, pause('2025-02-06', '2025-02-10')], '2025-02-06'],
  ['1 Feb to an unknown day while one is open', '2025-02-01', [pause('2025-01-10', null)], null],
  ['10 Jan not at all by the open one that begins there', '2025-01-10', [pause('2025-01-10', null)], '2025-01-10'],
  ['1 Feb to an unknown day when the shift reaches an open one', '2025-02-01', [tenth, pause('2025-02-03', null)], null],
])('a pause moves %s', (_, t, pauses, expected) => {
  expect(shifted(t, pauses)).toBe(expected);
});

test.each([
  ['25 of 30 days around a pause of 5', '2025-01-01', '2025-01-31', [tenth], 25],
  ['9 days before one', '2025-01-01', '2025-01-10', [tenth], 9],
  ['none within one', '2025-01-11', '2025-01-14', [tenth], 0],
  ['1 day out of the end of one', '2025-01-14', '2025-01-16', [tenth], 1],
  ['9 days up to an open one', '2025-01-01', '2025-03-01', [pause('2025-01-10', null)], 9],
  ['none of a span that runs backwards', '2025-01-05', '2025-01-01', [], 0],
])('runs %s', (_, from, to, pauses, days) => {
  expect(runningTime(at(from), at(to), pauses)).toBe(days * DAY);
});

test('pauses since 12 Jan leave out the one that began on 10 Jan and keep one that begins at that instant', () => {
  const next = pause('2025-01-12', null);
  expect(pausesSince([tenth, next], at('2025-01-12'))).toEqual([next]);
});

/** Sorted, disjoint pauses in whole milliseconds; touching ones included, the last one open at times. */
const pauses = fc
  .tuple(fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 50 })), { maxLength: 8 }), fc.boolean())
  .map(([gaps, open]) => {
    let clock = 0;
    return gaps.map(([gap, length], index): Pause => {
      const from = clock + gap;
      clock = from + length;
      return { from, to: open && index === gaps.length - 1 ? null : clock };
    });
  });

test('shift is strictly monotone, and unshift undoes it', () => {
  fc.assert(
    fc.property(pauses, fc.integer({ min: -10, max: 600 }), (list, t) => {
      const [here, next] = [shift(t, list), shift(t + 1, list)];
      if (here !== null) expect(unshift(here, list)).toBe(t);
      if (here !== null && next !== null) expect(next).toBeGreaterThan(here);
      if (here === null) expect(next).toBeNull();
    }),
    runs(),
  );
});

test('running time adds up over any cut and equals the milliseconds counted one by one', () => {
  fc.assert(
    fc.property(
      pauses,
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 150 }),
      fc.integer({ min: 0, max: 150 }),
      (list, from, a, b) => {
        const [cut, to] = [from + a, from + a + b];
        const whole = runningTime(from, to, list);
        expect(runningTime(from, cut, list) + runningTime(cut, to, list)).toBe(whole);
        let counted = 0;
        for (let t = from; t < to; t += 1) if (!list.some((one) => one.from <= t && (one.to === null || t < one.to))) counted += 1;
        expect(whole).toBe(counted);
      },
    ),
    runs(),
  );
});
