import { CYCLES, type Cycle, isCycle, isPeriodic, perYear } from '../../../billing/calendar/cycle.ts';
import { at, DAY, HOUR, iso } from '../../../billing/calendar/instant.ts';
import { FULL, ratioDecimal, ratioText, share } from '../../../billing/calendar/ratio.ts';
import {
  boundary,
  checkOffset,
  customRhythm,
  indexOf,
  type Rhythm,
  shownOffset,
  spanRatio,
  wholeLength,
} from '../../../billing/calendar/rhythm.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { BillingError } from '../../../billing/problem.ts';

function rhythm(start: string, cycle: Cycle, offset: number | null = null, ...freezes: [string, string | null][]): Rhythm {
  const pauses = freezes.map(([from, to]) => ({ from: at(from), to: to === null ? null : at(to) }));
  return { start: at(start), cycle, offset, pauses };
}

function short(t: number | null): string | null {
  return t === null ? null : iso(t).replace('T00:00:00.000Z', '').replace(':00.000Z', '');
}

function days(of: Rhythm, ...ns: number[]): (string | null)[] {
  return ns.map((n) => short(boundary(of, n)));
}

test.each([
  ['monthly from 31 January', rhythm('2025-01-31', 'month'), ['2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31']],
  ['in a leap year', rhythm('2024-01-31', 'month'), ['2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31']],
  ['monthly from 29 January', rhythm('2025-01-29', 'month'), ['2025-02-28', '2025-03-29', '2025-04-29', '2025-05-29']],
  ['monthly over the year end', rhythm('2024-11-30', 'month'), ['2024-12-30', '2025-01-30', '2025-02-28', '2025-03-30']],
  ['yearly from 29 February', rhythm('2024-02-29', 'year'), ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  ['quarterly from 30 November', rhythm('2024-11-30', 'quarter'), ['2025-02-28', '2025-05-30', '2025-08-30', '2025-11-30']],
  ['weekly over a leap day', rhythm('2024-02-26', 'week'), ['2024-03-04', '2024-03-11', '2024-03-18', '2024-03-25']],
  ['daily', rhythm('2024-02-28', 'day'), ['2024-02-29', '2024-03-01', '2024-03-02', '2024-03-03']],
  [
    'hourly from 22:30',
    rhythm('2024-12-31T22:30Z', 'hour'),
    ['2024-12-31T23:30', '2025-01-01T00:30', '2025-01-01T01:30', '2025-01-01T02:30'],
  ],
  [
    'monthly with its time of day',
    rhythm('2025-01-31T10:15Z', 'month'),
    ['2025-02-28T10:15', '2025-03-31T10:15', '2025-04-30T10:15', '2025-05-31T10:15'],
  ],
  [
    'monthly from the morning of 28 February',
    rhythm('2025-02-28T10:15Z', 'month'),
    ['2025-03-28T10:15', '2025-04-28T10:15', '2025-05-28T10:15', '2025-06-28T10:15'],
  ],
  [
    'monthly after 90 days of trial from 1 Jan 2024',
    rhythm('2024-03-31', 'month'),
    ['2024-04-30', '2024-05-31', '2024-06-30', '2024-07-31'],
  ],
])('%s: boundaries %#', (_, of, expected) => {
  expect(days(of, 1, 2, 3, 4)).toEqual(expected);
});

test('90 days from 1 Jan 2024 end on 31 Mar, the first boundary', () => {
  const trialEnd = at('2024-01-01') + 90 * DAY;
  expect(days({ start: trialEnd, cycle: 'month', offset: null, pauses: [] }, 0, 1)).toEqual(['2024-03-31', '2024-04-30']);
});

test.each([
  [
    'month, offset 30, from 2 Mar 2012',
    rhythm('2012-03-02', 'month', 30),
    ['2012-03-31', '2012-04-30', '2012-05-31', '2012-06-30', '2012-07-31'],
  ],
  [
    'month, offset 0, from the 15th',
    rhythm('2025-01-15', 'month', 0),
    ['2025-02-01', '2025-03-01', '2025-04-01', '2025-05-01', '2025-06-01'],
  ],
  [
    'month, offset 0, from the 1st: no stub',
    rhythm('2025-01-01', 'month', 0),
    ['2025-02-01', '2025-03-01', '2025-04-01', '2025-05-01', '2025-06-01'],
  ],
  [
    'month, offset 30, through February',
    rhythm('2025-01-31', 'month', 30),
    ['2025-02-28', '2025-03-31', '2025-04-30', '2025-05-31', '2025-06-30'],
  ],
  [
    'month, offset 14, an hour before it',
    rhythm('2025-01-14T23:00Z', 'month', 14),
    ['2025-01-15', '2025-02-15', '2025-03-15', '2025-04-15', '2025-05-15'],
  ],
  [
    'month, offset 14, an hour after it',
    rhythm('2025-01-15T01:00Z', 'month', 14),
    ['2025-02-15', '2025-03-15', '2025-04-15', '2025-05-15', '2025-06-15'],
  ],
  [
    'week, offset 0 is Monday, from a Wednesday',
    rhythm('2025-01-01', 'week', 0),
    ['2025-01-06', '2025-01-13', '2025-01-20', '2025-01-27', '2025-02-03'],
  ],
  [
    'week, offset 6 is Sunday, from a Wednesday',
    rhythm('2025-01-01', 'week', 6),
    ['2025-01-05', '2025-01-12', '2025-01-19', '2025-01-26', '2025-02-02'],
  ],
  ['quarter, offset 0', rhythm('2025-01-20', 'quarter', 0), ['2025-04-01', '2025-07-01', '2025-10-01', '2026-01-01', '2026-04-01']],
  [
    'quarter, offset 91 is its last day',
    rhythm('2025-01-20', 'quarter', 91),
    ['2025-03-31', '2025-06-30', '2025-09-30', '2025-12-31', '2026-03-31'],
  ],
  [
    'year, offset 365 is 31 December',
    rhythm('2023-05-05', 'year', 365),
    ['2023-12-31', '2024-12-31', '2025-12-31', '2026-12-31', '2027-12-31'],
  ],
  [
    'year, offset 59 is 1 March, 29 February in leap years',
    rhythm('2023-05-05', 'year', 59),
    ['2024-02-29', '2025-03-01', '2026-03-01', '2027-03-01', '2028-02-29'],
  ],
  [
    'day, offset 0 is midnight',
    rhythm('2025-01-01T08:00Z', 'day', 0),
    ['2025-01-02', '2025-01-03', '2025-01-04', '2025-01-05', '2025-01-06'],
  ],
  [
    'hour, offset 0 is the whole hour',
    rhythm('2025-01-01T22:20Z', 'hour', 0),
    ['2025-01-01T23:00', '2025-01-02', '2025-01-02T01:00', '2025-01-02T02:00', '2025-01-02T03:00'],
  ],
])('aligned: %s', (_, of, expected) => {
  expect(days(of, 1, 2, 3, 4, 5)).toEqual(expected);
});

test('boundaries count back: from 31 May, -1 is 30 April and -3 is 28 February', () => {
  expect(days(rhythm('2025-05-31', 'month'), -1, -2, -3)).toEqual(['2025-04-30', '2025-03-31', '2025-02-28']);
});

test('aligned boundaries count back: before a stub from 2 Mar come 29 Feb and 31 Jan; before a start on 31 Mar comes 29 Feb', () => {
  expect(days(rhythm('2012-03-02', 'month', 30), -1, -2)).toEqual(['2012-02-29', '2012-01-31']);
  expect(days(rhythm('2012-03-31', 'month', 30), -1, -2)).toEqual(['2012-02-29', '2012-01-31']);
});

test('after 1,200 months from 31 Jan 2000 it is 31 Jan 2100, after 1,201 it is 28 Feb 2100', () => {
  expect(days(rhythm('2000-01-31', 'month'), 1200, 1201)).toEqual(['2100-01-31', '2100-02-28']);
});

test('after 1,000,000 hours from 1 Jan 2000 it is 29 Jan 2114 16:00, and that is period 1,000,000', () => {
  const hours = rhythm('2000-01-01', 'hour');
  const far = boundary(hours, 1_000_000) ?? 0;
  expect(iso(far)).toBe('2114-01-29T16:00:00.000Z');
  expect([indexOf(hours, far - 1), indexOf(hours, far)]).toEqual([999_999, 1_000_000]);
});

test.each(['once', 'constant'] as const)('%s has a single period without end', (cycle) => {
  const single = rhythm('2025-01-01', cycle);
  expect([boundary(single, 0), boundary(single, 1)]).toEqual([at('2025-01-01'), null]);
  expect([indexOf(single, at('2024-12-31')), indexOf(single, at('2025-01-01')), indexOf(single, at('2099-01-01'))]).toEqual([-1, 0, 0]);
  expect(() => boundary(single, -1)).toThrow(BillingError);
  expect(() => wholeLength(single, 0)).toThrow(BillingError);
  expect(spanRatio(single, 0, at('2025-02-01'), at('2025-03-01'))).toEqual(FULL);
  expect(shownOffset(single)).toBe(0);
});

test('a freeze of 5 days in January moves 1 Feb to 6 Feb, 1 Mar to 6 Mar, and leaves 1 Jan', () => {
  const frozen = rhythm('2025-01-01', 'month', null, ['2025-01-10', '2025-01-15']);
  expect(days(frozen, 0, 1, 2)).toEqual(['2025-01-01', '2025-02-06', '2025-03-06']);
  expect([indexOf(frozen, at('2025-02-05')), indexOf(frozen, at('2025-02-06'))]).toEqual([0, 1]);
});

test('a freeze moves calendar-aligned boundaries too: 1 Feb to 6 Feb', () => {
  expect(days(rhythm('2025-01-15', 'month', 0, ['2025-01-20', '2025-01-25']), 1, 2)).toEqual(['2025-02-06', '2025-03-06']);
});

test('a freeze that begins at the boundary of 1 Feb leaves it and moves 1 Mar by its 10 days', () => {
  const frozen = rhythm('2025-01-01', 'month', null, ['2025-02-01', '2025-02-11']);
  expect(days(frozen, 1, 2)).toEqual(['2025-02-01', '2025-03-11']);
  expect([indexOf(frozen, at('2025-01-31')), indexOf(frozen, at('2025-02-01')), indexOf(frozen, at('2025-02-10'))]).toEqual([0, 1, 1]);
});

test.each([
  [
    'month from 14 June, frozen 10 July to 9 August: on the 13th from then on',
    rhythm('2025-06-14', 'month', null, ['2025-07-10', '2025-08-09']),
    ['2025-08-13', '2025-09-13', '2025-10-13', '2025-11-13', '2025-12-13', '2026-01-13', '2026-02-13', '2026-03-13'],
  ],
  [
    'month from 14 January, frozen 10 July to 9 August',
    rhythm('2025-01-14', 'month', null, ['2025-07-10', '2025-08-09']),
    ['2025-02-14', '2025-03-14', '2025-04-14', '2025-05-14', '2025-06-14', '2025-08-13', '2025-09-13', '2025-10-13'],
  ],
  [
    'the same, aligned to the 14th day of the month',
    rhythm('2025-06-14', 'month', 13, ['2025-07-10', '2025-08-09']),
    ['2025-08-13', '2025-09-13', '2025-10-13', '2025-11-13'],
  ],
  [
    'aligned to the 1st, frozen in the stub',
    rhythm('2025-06-16', 'month', 0, ['2025-06-20', '2025-07-20']),
    ['2025-07-31', '2025-08-31', '2025-09-30', '2025-10-31'],
  ],
  [
    'month from 31 January, frozen for five days in March: from 5 April on the 5th, not the 31st',
    rhythm('2025-01-31', 'month', null, ['2025-03-10', '2025-03-15']),
    ['2025-02-28', '2025-04-05', '2025-05-05', '2025-06-05'],
  ],
  [
    'two freezes in one period move its end by both',
    rhythm('2025-01-01', 'month', null, ['2025-01-10', '2025-01-15'], ['2025-02-03', '2025-02-28']),
    ['2025-03-03', '2025-04-03', '2025-05-03'],
  ],
  [
    'two freezes in two periods: each moves the anchor once',
    rhythm('2025-01-31', 'month', null, ['2025-02-10', '2025-02-13'], ['2025-04-01', '2025-05-01']),
    ['2025-03-03', '2025-05-03', '2025-06-03'],
  ],
  [
    'a freeze over two boundaries is one freeze',
    rhythm('2025-01-01', 'month', null, ['2025-01-20', '2025-03-20']),
    ['2025-04-01', '2025-05-01', '2025-06-01'],
  ],
  [
    'quarters from 20 January, frozen 30 days in March: from 20 May on',
    rhythm('2025-01-20', 'quarter', null, ['2025-03-01', '2025-03-31']),
    ['2025-05-20', '2025-08-20', '2025-11-20'],
  ],
  [
    'aligned quarters, the last day: frozen a day in August',
    rhythm('2025-01-20', 'quarter', 91, ['2025-08-10', '2025-08-11']),
    ['2025-03-31', '2025-06-30', '2025-10-01', '2026-01-01', '2026-04-01'],
  ],
  [
    'years from 29 February, frozen a day in the first',
    rhythm('2024-02-29', 'year', null, ['2024-06-01', '2024-06-02']),
    ['2025-03-01', '2026-03-01', '2027-03-01', '2028-03-01'],
  ],
  [
    'weeks from a Wednesday, frozen for ten days: Saturdays',
    rhythm('2025-01-01', 'week', null, ['2025-01-10', '2025-01-20']),
    ['2025-01-08', '2025-01-25', '2025-02-01', '2025-02-08'],
  ],
  [
    'a freeze for no time moves nothing',
    rhythm('2025-01-31', 'month', null, ['2025-02-10', '2025-02-10']),
    ['2025-02-28', '2025-03-31', '2025-04-30'],
  ],
])('a freeze moves the anchor once: %s', (_, of, expected) => {
  expect(days(of, ...expected.map((_day, index) => index + 1))).toEqual(expected);
  expect(expected.map((day) => indexOf(of, at(day)))).toEqual(expected.map((_day, index) => index + 1));
  expect(expected.map((day) => indexOf(of, at(day) - 1))).toEqual(expected.map((_day, index) => index));
});

test('the period a freeze fell into is pro-rated over its own natural length, those after it over theirs from the new anchor', () => {
  const frozen = rhythm('2025-06-14', 'month', null, ['2025-07-10', '2025-08-09']);
  expect(wholeLength(frozen, 0)).toBe(30 * DAY);
  expect(spanRatio(frozen, 0, at('2025-06-14'), at('2025-08-13'))).toEqual({ part: 30 * DAY, whole: 30 * DAY });
  expect([wholeLength(frozen, 1), wholeLength(frozen, 2)]).toEqual([31 * DAY, 30 * DAY]);
  const stub = rhythm('2025-06-16', 'month', 0, ['2025-06-20', '2025-07-20']);
  expect(spanRatio(stub, 0, at('2025-06-16'), at('2025-07-31'))).toEqual({ part: 15 * DAY, whole: 30 * DAY });
  const open = rhythm('2025-06-14', 'month', null, ['2025-07-10', null]);
  expect([wholeLength(open, 0), wholeLength(open, 1)]).toEqual([30 * DAY, 31 * DAY]);
});

test('a freeze before the start doesn’t count', () => {
  expect(days(rhythm('2025-01-10', 'month', null, ['2025-01-01', '2025-01-05']), 1)).toEqual(['2025-02-10']);
});

test('an open freeze makes the end of its period unknown, and the next period has no start yet', () => {
  const open = rhythm('2025-01-01', 'month', null, ['2025-02-10', null]);
  expect(days(open, 1, 2, 3)).toEqual(['2025-02-01', null, null]);
  expect(indexOf(open, at('2025-06-01'))).toBe(1);
});

test('29 of 31 days of 599.95 are 561.24, over 29 Feb to 31 Mar 2012', () => {
  const aligned = rhythm('2012-03-02', 'month', 30);
  const ratio = spanRatio(aligned, 0, at('2012-03-02'), at('2012-03-31'));
  expect(ratio).toEqual({ part: 29 * DAY, whole: 31 * DAY });
  expect(moneyText(share(dec('599.95'), ratio), 'usd')).toBe('561.24');
});

test('an aligned contract that starts on its boundary has a whole first period: 1 Jan to 1 Feb is 31 of 31 days', () => {
  const whole = rhythm('2025-01-01', 'month', 0);
  expect(spanRatio(whole, 0, at('2025-01-01'), at('2025-02-01'))).toEqual({ part: 31 * DAY, whole: 31 * DAY });
});

test('half of June is 360 of 720 hours', () => {
  const ratio = spanRatio(rhythm('2025-06-01', 'month'), 0, at('2025-06-16'), at('2025-07-01'));
  expect(ratio).toEqual({ part: 360 * HOUR, whole: 720 * HOUR });
  expect(ratioText(ratio)).toBe('0.5');
});

test('frozen time counts in neither part nor whole: 10 of 31 days are left after a freeze of 7', () => {
  const frozen = rhythm('2025-01-01', 'month', null, ['2025-01-10', '2025-01-17']);
  const end = boundary(frozen, 1) ?? 0;
  expect(short(end)).toBe('2025-02-08');
  expect(spanRatio(frozen, 0, at('2025-01-29'), end)).toEqual({ part: 10 * DAY, whole: 31 * DAY });
  expect(spanRatio(frozen, 0, at('2025-01-05'), end)).toEqual({ part: 27 * DAY, whole: 31 * DAY });
});

test.each([
  ['hour', [0], [1, -1]],
  ['day', [0], [1]],
  ['week', [0, 6], [7, -1, 0.5]],
  ['month', [0, 30], [31, -1, Number.NaN]],
  ['quarter', [0, 91], [92]],
  ['year', [0, 365], [366]],
  ['once', [], [0, 1]],
  ['constant', [], [0]],
] as [Cycle, number[], number[]][])('a %s cycle may be offset by %j but not %j', (cycle, good, bad) => {
  expect(good.flatMap((offset) => checkOffset(cycle, offset))).toEqual([]);
  expect(checkOffset(cycle, null)).toEqual([]);
  for (const offset of bad) expect(checkOffset(cycle, offset)).toEqual([expect.objectContaining({ field: 'cycle_start_offset' })]);
});

test.each([
  ['31 Jan', rhythm('2025-01-31', 'month'), 30],
  ['2 May in its quarter', rhythm('2025-05-02', 'quarter'), 31],
  ['31 Dec of a leap year', rhythm('2024-12-31', 'year'), 365],
  ['a Wednesday', rhythm('2025-01-01', 'week'), 2],
  ['a day', rhythm('2025-01-01T10:00Z', 'day'), 0],
  ['an hour', rhythm('2025-01-01T10:20Z', 'hour'), 0],
  ['an offset given', rhythm('2025-01-15', 'month', 7), 7],
  ['14 June after a freeze of 30 days, 13 August', rhythm('2025-06-14', 'month', null, ['2025-07-10', '2025-08-09']), 12],
  ['an offset given, moved to 6 July', rhythm('2025-06-16', 'month', 0, ['2025-06-20', '2025-06-25']), 5],
  ['a quarter moved to 20 May', rhythm('2025-01-20', 'quarter', 19, ['2025-03-01', '2025-03-31']), 49],
  ['an offset given while a freeze lasts', rhythm('2025-06-16', 'month', 0, ['2025-06-20', null]), 0],
  ['14 June while a freeze lasts', rhythm('2025-06-14', 'month', null, ['2025-07-10', null]), 13],
])('the offset shown for %s is %#', (_, of, expected) => {
  expect(shownOffset(of)).toBe(expected);
});

test('a quarterly charge of a monthly contract from 31 Jan falls on 30 Apr, 31 Jul, 31 Oct', () => {
  expect(days(customRhythm(at('2025-01-31'), 'quarter', []), 1, 2, 3)).toEqual(['2025-04-30', '2025-07-31', '2025-10-31']);
});

test.each([
  ['once', '1'],
  ['hour', '8760'],
  ['day', '365'],
  ['week', '52.142857142857'],
  ['month', '12'],
  ['quarter', '4'],
  ['year', '1'],
  ['constant', '1'],
] as [Cycle, string][])('a year has of %s: %s', (cycle, expected) => {
  expect(ratioText(perYear(cycle))).toBe(expected);
});

test('there are eight cycles, six of them periodic, and no fortnight', () => {
  expect(CYCLES.filter(isPeriodic)).toEqual(['hour', 'day', 'week', 'month', 'quarter', 'year']);
  expect(['month', 'fortnight', 'toString'].map(isCycle)).toEqual([true, false, false]);
  expect(() => perYear('fortnight' as Cycle)).toThrow(BillingError);
});

test('16 of 31 is 0.516129032258 to 12 places; a ratio without a whole is refused', () => {
  expect(ratioText({ part: 16, whole: 31 })).toBe('0.516129032258');
  expect(ratioDecimal({ part: 1, whole: 4 }).toFixed()).toBe('0.25');
  expect(() => share(dec(1), { part: 0, whole: 0 })).toThrow(BillingError);
});
