import fc from 'fast-check';
import { civilFromDays, daysFromCivil, daysInMonth, isLeap } from '../../../billing/calendar/civil.ts';
import { at, iso } from '../../../billing/calendar/instant.ts';
import { BillingError } from '../../../billing/problem.ts';
import { runs } from '../../support/runs.ts';

test.each([
  ['2025-01-01', '2025-01-01T00:00:00.000Z'],
  ['2025-01-01T00:00:00Z', '2025-01-01T00:00:00.000Z'],
  ['2025-01-01T00:00:00', '2025-01-01T00:00:00.000Z'],
  ['2025-01-01T10:30Z', '2025-01-01T10:30:00.000Z'],
  ['2025-01-01T02:00:00+02:00', '2025-01-01T00:00:00.000Z'],
  ['2024-12-31T18:30:00.5-05:30', '2025-01-01T00:00:00.500Z'],
  ['2025-01-02T00:00:00+23:59', '2025-01-01T00:01:00.000Z'],
  ['2025-01-01T02:00:00+0200', '2025-01-01T00:00:00.000Z'],
  ['2025-01-01t00:00:00.123456789z', '2025-01-01T00:00:00.123Z'],
  ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ['2000-02-29', '2000-02-29T00:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['0099-03-01', '0099-03-01T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is %s', (input, expected) => {
  expect(iso(at(input))).toBe(expected);
});

test.each([
  '',
  '2025',
  '2025-1-1',
  '2025-02-29',
  '1900-02-29',
  '2025-04-31',
  '2025-13-01',
  '2025-00-10',
  '2025-01-00',
  '2025-01-01T24:00:00Z',
  '2025-01-01T00:60:00Z',
  '2025-01-01T00:00:60Z',
  '2025-01-01 00:00:00Z',
  '2025-01-01T00:00:00+24:00',
  '2025-01-01T00:00:00+01:60',
  '2025-01-01T00:00:00[Europe/Berlin]',
  '2025-01-01Z',
  ' 2025-01-01',
  '1735689600000',
  '0000-12-31',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:00-00:01',
])('%j is no instant, and the problem names the field', (input) => {
  expect(() => at(input, 'activation')).toThrow(BillingError);
  expect(() => at(input, 'activation')).toThrow('activation: give an ISO 8601 date-time');
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5, 8.64e15 + 1])('%d milliseconds have no text', (instant) => {
  expect(() => iso(instant)).toThrow(BillingError);
});

test('the last instant a date can hold has a text', () => {
  expect(iso(8.64e15)).toBe('+275760-09-13T00:00:00.000Z');
});

test('2000 and 2024 are leap years, 1900 and 2025 are not', () => {
  expect([2000, 2024, 1900, 2025].map(isLeap)).toEqual([true, true, false, false]);
  expect([daysInMonth(2024, 2), daysInMonth(2025, 2), daysInMonth(2025, 12), daysInMonth(2025, 4)]).toEqual([29, 28, 31, 30]);
});

test('days and dates are inverse to each other over 5,000 years, and agree with the platform', () => {
  fc.assert(
    fc.property(fc.integer({ min: -900_000, max: 900_000 }), (days) => {
      const { year, month, day } = civilFromDays(days);
      expect(daysFromCivil(year, month, day)).toBe(days);
      const platform = new Date(days * 86_400_000);
      expect([year, month, day]).toEqual([platform.getUTCFullYear(), platform.getUTCMonth() + 1, platform.getUTCDate()]);
    }),
    runs(),
  );
});

test('1 January, 28 and 29 February, 1 March and 31 December of the years 1590 to 2410 are the days the platform counts, and back', () => {
  for (let year = 1590; year <= 2410; year += 1) {
    const dates = [
      { year, month: 1, day: 1 },
      { year, month: 2, day: 28 },
      ...(isLeap(year) ? [{ year, month: 2, day: 29 }] : []),
      { year, month: 3, day: 1 },
      { year, month: 12, day: 31 },
    ];
    const days = dates.map((date) => daysFromCivil(date.year, date.month, date.day));
    expect(days).toEqual(dates.map((date) => Date.UTC(date.year, date.month - 1, date.day) / 86_400_000));
    expect(days.map(civilFromDays)).toEqual(dates);
  }
});

test('the text of an instant reads back as the instant', () => {
  fc.assert(
    fc.property(fc.integer({ min: at('0001-01-01'), max: at('9999-12-31') }), (instant) => {
      expect(at(iso(instant))).toBe(instant);
    }),
    runs(),
  );
});
