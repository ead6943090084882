import fc from 'fast-check';
import { at, HOUR } from '../../../billing/calendar/instant.ts';
import { dec, text } from '../../../billing/money/decimal.ts';
import { compareUsage, sumUsage, type UsageReport } from '../../../billing/usage/sum.ts';
import { runs } from '../../support/runs.ts';

const from = at('2025-01-01');
const to = at('2025-02-01');

function event(day: string, units: string, more: Partial<UsageReport> = {}): UsageReport {
  return { id: `${day} ${units}`, timestamp: at(`2025-${day}`), arrival: 1, units, isAbsolute: false, discarded: false, ...more };
}
const marker = (day: string, units: string, more: Partial<UsageReport> = {}): UsageReport =>
  event(day, units, { isAbsolute: true, ...more });

test.each([
  ['nothing is 0', [], '0', 0],
  ['10 + 2.5 = 12.5', [event('01-02', '10'), event('01-03', '2.5')], '12.5', 2],
  ['the first instant counts, the end doesn’t', [event('01-01', '1'), event('02-01', '2')], '1', 1],
  ['what lies before doesn’t', [event('01-01', '1', { timestamp: from - 1 })], '0', 0],
  ['a discarded event doesn’t', [event('01-02', '1', { discarded: true }), event('01-03', '2')], '2', 1],
  ['a marker drops 10, sets 4, then 2 more', [event('01-02', '10'), marker('01-03', '4'), event('01-04', '2')], '6', 2],
  ['a marker of 0 starts again', [event('01-02', '10'), marker('01-03', '0'), event('01-04', '2')], '2', 2],
  [
    'the same timestamp counts as after it, though it arrived before',
    [event('01-03', '5', { arrival: 1 }), marker('01-03', '4', { arrival: 2 })],
    '9',
    2,
  ],
  [
    'of two markers the later timestamp holds',
    [marker('01-03', '4', { arrival: 9 }), marker('01-05', '1', { arrival: 1 }), event('01-04', '7')],
    '1',
    1,
  ],
  [
    'of two at one timestamp the later arrival holds',
    [marker('01-03', '4', { arrival: 10 }), marker('01-03', '1', { arrival: 9 })],
    '4',
    1,
  ],
  ['so it does when they are listed by arrival', [marker('01-03', '1', { arrival: 9 }), marker('01-03', '4', { arrival: 10 })], '4', 1],
  ['a discarded marker does nothing', [event('01-02', '10'), marker('01-03', '4', { discarded: true })], '10', 1],
  ['a marker of the next period does nothing', [event('01-02', '10'), marker('02-01', '4')], '10', 1],
  ['a marker of the period before does nothing', [marker('01-01', '4', { timestamp: from - 1 }), event('01-02', '10')], '10', 1],
  [
    'arrivals beyond 2^53 are distinguished',
    [marker('01-03', '4', { arrival: '9007199254740993' }), marker('01-03', '1', { arrival: '9007199254740992' })],
    '4',
    1,
  ],
  ['arrivals are numbers, not texts', [marker('01-03', '4', { arrival: '10' }), marker('01-03', '1', { arrival: '9' })], '4', 1],
  ['0.1 + 0.2 = 0.3', [event('01-02', '0.1'), event('01-03', '0.2')], '0.3', 2],
])('%s', (_, events, units, counted) => {
  const found = sumUsage(events, { from, to });
  expect([found.units, found.counted]).toEqual([units, counted]);
});

test('the events a marker discards are named, and the marker too', () => {
  const found = sumUsage([event('01-02', '10'), marker('01-03', '4'), event('01-04', '2'), marker('01-01', '8')], { from, to });
  expect(found).toEqual({ units: '6', counted: 2, ignored: ['01-02 10', '01-01 8'], marker: '01-03 4' });
});

test('without a marker it is null, not absent', () => {
  expect(sumUsage([event('01-02', '10')], { from, to })).toStrictEqual({ units: '10', counted: 1, ignored: [], marker: null });
});

test('a period without end takes all from its start; an included end takes the very last instant', () => {
  expect(sumUsage([event('12-31', '3')], { from, to: null }).units).toBe('3');
  expect(sumUsage([event('02-01', '3'), event('02-01T00:00:00.001Z', '4')], { from, to, endIncluded: true }).units).toBe('3');
});

const usageEvents = fc
  .array(
    fc.record({
      slot: fc.integer({ min: -2, max: 12 }),
      cents: fc.integer({ min: 0, max: 10_000 }),
      isAbsolute: fc.integer({ min: 0, max: 4 }).map((dice) => dice === 0),
      discarded: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
    }),
    { maxLength: 30 },
  )
  .map((rows) =>
    rows.map(
      ({ slot, cents, isAbsolute, discarded }, arrival): UsageReport => ({
        id: `Evt_${arrival}`,
        timestamp: from + slot * HOUR,
        arrival,
        units: text(dec(cents).div(100)),
        isAbsolute,
        discarded,
      }),
    ),
  );
const span = { from, to: from + 10 * HOUR };

/**
 * The rule as a counter that walks the events in order: a marker resets it, same-timestamp events come after their
 * marker.
 */
function byWalking(events: UsageReport[]): string {
  const live = events.filter((one) => !one.discarded && one.timestamp >= span.from && one.timestamp < span.to);
  const ordered = live.toSorted(
    (a, b) => a.timestamp - b.timestamp || Number(b.isAbsolute) - Number(a.isAbsolute) || Number(a.arrival) - Number(b.arrival),
  );
  return text(ordered.reduce((counter, one) => (one.isAbsolute ? dec(one.units) : counter.plus(one.units)), dec(0)));
}

test('the sum is what a counter shows that walks the events in order', () => {
  fc.assert(
    fc.property(usageEvents, (events) => {
      expect(sumUsage(events, span).units).toBe(byWalking(events));
    }),
    runs(),
  );
});

test('the order of the list never matters', () => {
  fc.assert(
    fc.property(
      usageEvents.chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length }))),
      ([events, shuffled]) => {
        const [a, b] = [sumUsage(events, span), sumUsage(shuffled, span)];
        expect([b.units, b.counted, b.marker, b.ignored.toSorted()]).toEqual([a.units, a.counted, a.marker, a.ignored.toSorted()]);
      },
    ),
    runs(),
  );
});

test('splitting a report over two of the same timestamp never matters', () => {
  fc.assert(
    fc.property(usageEvents, fc.integer({ min: 0, max: 100 }), (events, percent) => {
      const split = events.flatMap((one) => {
        if (one.isAbsolute) return [one];
        const first = dec(one.units).times(percent).div(100);
        return [
          { ...one, units: text(first) },
          { ...one, id: `${one.id}b`, units: text(dec(one.units).minus(first)) },
        ];
      });
      expect(sumUsage(split, span).units).toBe(sumUsage(events, span).units);
    }),
    runs(),
  );
});

test('without markers the sums of two halves of a period add up to the period’s', () => {
  fc.assert(
    fc.property(usageEvents, fc.integer({ min: 0, max: 10 }), (events, hour) => {
      const plain = events.map((one) => ({ ...one, isAbsolute: false }));
      const cut = from + hour * HOUR;
      const halves = [sumUsage(plain, { from, to: cut }), sumUsage(plain, { from: cut, to: span.to })];
      expect(text(dec(halves[0]?.units ?? '').plus(halves[1]?.units ?? ''))).toBe(sumUsage(plain, span).units);
    }),
    runs(),
  );
});

test('each event of the period is counted or ignored, exactly one of them', () => {
  fc.assert(
    fc.property(usageEvents, (events) => {
      const { counted, ignored } = sumUsage(events, span);
      const within = events.filter((one) => !one.discarded && one.timestamp >= span.from && one.timestamp < span.to);
      expect(counted + ignored.length).toBe(within.length);
    }),
    runs(),
  );
});

test('events come by timestamp, then by arrival', () => {
  const [early, first, second] = [
    event('01-01', '1', { arrival: 9 }),
    event('01-02', '1', { arrival: 2 }),
    event('01-02', '1', { arrival: '10' }),
  ];
  expect([second, first, early].toSorted(compareUsage)).toEqual([early, first, second]);
  expect(compareUsage(first, first)).toBe(0);
});
