import { at } from '../../../billing/calendar/instant.ts';
import type { ChangeTime } from '../../../billing/contract/change/change-request.ts';
import { type Direction, timingOf } from '../../../billing/contract/change/timing.ts';
import { anchorOf, isAtBoundary } from '../../../billing/contract/period/anchor.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { signs } from '../../support-billing/story.ts';

const monthly = signs('2025-01-31', planOffer('p', { price: '1' })).contract();
const once = signs('2025-01-31', planOffer('p', { price: '1', cycle: 'once' })).contract();
const inTrial = signs('2025-01-31', planOffer('p', { price: '1', trialDays: 28 })).contract();
const NOW = at('2025-02-10');
const up: Direction = { isDowngrade: false, changesCurrency: false, downgradeAllowed: false, when: 'now' };
const down: Direction = { ...up, isDowngrade: true, when: 'next_cycle' };
const forced: Direction = { ...down, downgradeAllowed: true };
const euro: Direction = { ...up, changesCurrency: true };
const on = (date: string): ChangeTime => ({ type: 'date', date: at(date) });
const now = { type: 'now' };
const boundary = (n: number, date: string) => ({ type: 'later', when: { type: 'boundary', n }, at: at(date) });
const dated = (date: string) => ({ type: 'later', when: { type: 'date', at: at(date), setAt: NOW }, at: at(date) });
const immediate: ChangeTime = { type: 'immediate' };

test.each<[string, Contract, ChangeTime, Direction, unknown]>([
  ['an upgrade', monthly, immediate, up, now],
  ['an upgrade dated now', monthly, on('2025-02-10'), up, now],
  ['a downgrade', monthly, immediate, down, boundary(1, '2025-02-28')],
  ['a downgrade dated now', monthly, on('2025-02-10'), down, boundary(1, '2025-02-28')],
  ['a downgrade that is allowed', monthly, immediate, forced, now],
  ['a downgrade in the second period', { ...monthly, currentIdx: 2 }, immediate, down, boundary(2, '2025-03-31')],
  ['next_cycle', monthly, { type: 'next_cycle' }, up, boundary(1, '2025-02-28')],
  ['next_cycle in another currency', monthly, { type: 'next_cycle' }, euro, boundary(1, '2025-02-28')],
  ['an upgrade dated mid-cycle', monthly, on('2025-02-20'), up, dated('2025-02-20')],
  ['an upgrade dated mid-cycle, two cycles ahead', monthly, on('2025-03-20'), up, dated('2025-03-20')],
  ['a downgrade dated mid-cycle, two cycles ahead', monthly, on('2025-03-20'), down, boundary(2, '2025-03-31')],
  ['a downgrade that is allowed, dated mid-cycle', monthly, on('2025-03-20'), forced, dated('2025-03-20')],
  ['a downgrade dated on a boundary', monthly, on('2025-03-31'), down, boundary(2, '2025-03-31')],
  ['another currency dated on a boundary', monthly, on('2025-03-31'), euro, boundary(2, '2025-03-31')],
  ['a once contract, an upgrade', once, immediate, up, now],
  ['a once contract, an upgrade dated ahead', once, on('2025-03-20'), up, dated('2025-03-20')],
  ['a once contract, a downgrade that is allowed, dated ahead', once, on('2025-03-20'), forced, dated('2025-03-20')],
  ['in a trial, a downgrade', inTrial, immediate, down, now],
  ['in a trial, another currency', inTrial, immediate, euro, now],
  ['in a trial, next_cycle is its end', inTrial, { type: 'next_cycle' }, up, boundary(0, '2025-02-28')],
  ['in a trial, a downgrade dated within it', inTrial, on('2025-02-27'), down, dated('2025-02-27')],
  ['in a trial, a downgrade dated at its end', inTrial, on('2025-02-28'), down, boundary(0, '2025-02-28')],
  ['in a trial, a downgrade dated behind it', inTrial, on('2025-03-10'), down, boundary(1, '2025-03-28')],
  ['in a trial of a once contract, dated at its end', { ...inTrial, terms: once.terms }, on('2025-02-28'), down, boundary(0, '2025-02-28')],
])('%s', (_, contract, request, direction, expected) => {
  expect(timingOf(contract, request, direction, NOW, [])).toEqual(expected);
});

test('while a freeze leaves the end of the trial unknown a date stands as it is', () => {
  const pauses = [{ from: at('2025-02-05'), to: null }];
  expect(timingOf(inTrial, on('2025-03-10'), down, NOW, pauses)).toEqual(dated('2025-03-10'));
});

test('an instant at the boundary: the end of the current period, of the trial, no other', () => {
  expect(isAtBoundary(monthly, at('2025-02-28'), [])).toBe(true);
  expect(isAtBoundary(monthly, at('2025-03-31'), [])).toBe(false);
  expect(isAtBoundary(inTrial, at('2025-02-28'), [])).toBe(true);
});

const third: Contract = { ...monthly, currentIdx: 3, firstCycle: 2, cyclesBefore: 4, offset: 5 };
const none = { currentIdx: null, customCharged: { month: -1, quarter: -1, year: -1 } };

test.each<[string, Contract, 'month' | 'year', boolean, unknown]>([
  ['mid-cycle', third, 'month', false, { start: at('2025-01-31'), offset: 5, firstCycle: 4, cyclesBefore: 6 }],
  ['at the boundary', third, 'month', true, { start: at('2025-01-31'), offset: 5, firstCycle: 5, cyclesBefore: 7 }],
  ['to another cycle', third, 'year', false, { start: NOW, offset: null, firstCycle: 0, cyclesBefore: 7 }],
  ['to another cycle at the boundary', third, 'year', true, { start: NOW, offset: null, firstCycle: 0, cyclesBefore: 7 }],
  ['in a trial', { ...inTrial, offset: 5, cyclesBefore: 1 }, 'month', false, { start: null, offset: 5, firstCycle: 0, cyclesBefore: 1 }],
  ['in a trial to another cycle', { ...inTrial, offset: 5 }, 'year', false, { start: null, offset: null, firstCycle: 0, cyclesBefore: 0 }],
])('what a successor counts from: in the third period, %s', (_, old, cycle, isBoundary, expected) => {
  expect(anchorOf(old, cycle, NOW, { boundary: isBoundary })).toEqual({ ...none, ...(expected as object) });
});
