import { type Cycle, perYear } from '../../../billing/calendar/cycle.ts';
import { at, iso } from '../../../billing/calendar/instant.ts';
import { ratioDecimal } from '../../../billing/calendar/ratio.ts';
import { boundary, checkOffset, type Rhythm, shownOffset, wholeLength } from '../../../billing/calendar/rhythm.ts';

const once: Rhythm = { start: at('2025-01-10'), cycle: 'once', offset: null, pauses: [] };
const ISO = 'give an ISO 8601 date-time such as "2025-01-31T00:00:00Z"';

test.each<[string, () => unknown, string, string, string]>([
  [
    'a cycle that is none',
    () => perYear('fortnight' as Cycle),
    'cycle',
    'unknown_cycle',
    'give one of once, hour, day, week, month, quarter, year, constant',
  ],
  ['a date in words', () => at('tomorrow', 'activation'), 'activation', 'invalid_instant', ISO],
  ['a date in words without a field', () => at('tomorrow'), 'timestamp', 'invalid_instant', ISO],
  ['half a millisecond', () => iso(0.5), 'timestamp', 'invalid_instant', ISO],
  ['a share of nothing', () => ratioDecimal({ part: 1, whole: 0 }), 'ratio', 'empty_whole', 'give a whole above zero'],
  ['the cycle before a once contract', () => boundary(once, -1), 'cycle', 'no_cycles', 'a once contract has one period; ask for n = 0'],
  ['the length of a once contract', () => wholeLength(once, 0), 'cycle', 'no_cycles', 'a once contract has no length to pro-rate over'],
])('%s is refused with what to give instead', (_, request, field, code, message) => {
  expect(request).toThrow(expect.objectContaining({ problems: [{ field, code, message }] }));
});

test.each<[Cycle, number, string, string]>([
  ['month', 31, 'offset_out_of_range', 'give whole days from 0 to 30 for a cycle of one month, or leave it out'],
  ['hour', 1, 'offset_out_of_range', 'give whole days from 0 to 0 for a cycle of one hour, or leave it out'],
  ['once', 0, 'offset_not_allowed', 'leave it out: a once contract has no cycles'],
  ['constant', 0, 'offset_not_allowed', 'leave it out: a constant contract has no cycles'],
])('an offset of a %s contract of %d: %s', (cycle, offset, code, message) => {
  expect(checkOffset(cycle, offset)).toEqual([{ field: 'cycle_start_offset', code, message }]);
});

test('an hourly contract that begins at half past ten shows no offset, a daily one none either', () => {
  const start = at('2025-01-10T10:30');
  expect([shownOffset({ ...once, start, cycle: 'hour' }), shownOffset({ ...once, start, cycle: 'day' })]).toEqual([0, 0]);
});

test('boundaries before a freeze that begins with the contract are counted back without it', () => {
  const start = at('2025-03-10');
  const rhythm: Rhythm = { start, cycle: 'month', offset: null, pauses: [{ from: start, to: at('2025-03-20') }] };
  expect([boundary(rhythm, -1), boundary(rhythm, 0), boundary(rhythm, 1)]).toEqual([at('2025-02-10'), start, at('2025-04-20')]);
});
