import { at, type Instant } from '../../../billing/calendar/instant.ts';
import type { Pause } from '../../../billing/calendar/pauses.ts';
import { usageShare } from '../../../billing/contract/period/known-end.ts';
import * as time from '../../../billing/contract/period/time.ts';
import type { Contract, When } from '../../../billing/contract/types.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { signs } from '../../support-billing/story.ts';

const jan = (day: number) => at(`2025-01-${String(day).padStart(2, '0')}`);
const frozen = (from: number, to: number | null): Pause[] => [{ from: jan(from), to: to === null ? null : jan(to) }];

const monthly = signs('2025-01-01', planOffer('p', { price: '1' })).contract();
const once = signs('2025-01-01', planOffer('p', { price: '1', cycle: 'once' })).contract();
const inTrial = signs('2025-01-01', planOffer('p', { price: '1', trialDays: 14 })).contract();
const scheduled = signs('2025-01-01', planOffer('p', { price: '1', trialDays: 14 }), { activation: '2025-01-10' }).contract();

test.each<[string, Pause[], boolean]>([
  ['never frozen', [], false],
  ['frozen and back', frozen(5, 9), false],
  ['frozen', frozen(5, null), true],
  ['frozen again', [...frozen(5, 9), ...frozen(12, null)], true],
])('%s: %j is frozen: %j', (_, pauses, expected) => {
  expect(time.isFrozen(pauses)).toBe(expected);
});

test('a contract lives in any state but moved and canceled', () => {
  const states = ['not_ready', 'scheduled', 'pending', 'active', 'moved', 'canceled'] as const;
  expect(states.filter((status) => time.isLive({ status }))).toEqual(['not_ready', 'scheduled', 'pending', 'active']);
});

test.each<[string, Pause[], number | null]>([
  ['without a freeze', [], 10],
  ['a freeze before it', frozen(5, 9), 10],
  ['a freeze that ends on it', frozen(5, 10), 10],
  ['a freeze around it', frozen(5, 12), 12],
  ['a freeze that begins on it', frozen(10, 12), 10],
  ['a freeze that lasts', frozen(5, null), null],
  ['a freeze that lasts, begun on it', frozen(10, null), 10],
  ['two freezes, the second from where the first one moved it', [...frozen(5, 12), ...frozen(12, 15)], 12],
])('an activation on the 10th, %s', (_, pauses, expected) => {
  expect(time.activationOf({ activation: jan(10) }, pauses)).toBe(expected === null ? null : jan(expected));
});

test('a pending contract has no activation, one without a trial no trial end', () => {
  expect(time.activationOf({ activation: null }, frozen(5, 9))).toBeNull();
  expect(time.trialEndOf({ activation: null, trialEnd: jan(5), pauseRules: {} }, [])).toBeNull();
  expect(time.trialEndOf({ activation: jan(1), trialEnd: null, pauseRules: {} }, [])).toBeNull();
  expect(time.trialEndOf(inTrial, frozen(5, 9))).toBe(jan(19));
  expect(time.trialEndOf({ ...inTrial, activation: jan(6) }, frozen(5, 9))).toBe(jan(15));
  expect([time.plannedTrialEnd(null, 5), time.plannedTrialEnd(jan(1), 0), time.plannedTrialEnd(jan(1), 5)]).toEqual([null, null, jan(6)]);
});

test.each<[string, Contract, When, Pause[], number | null]>([
  ['boundary 1 of a monthly contract', monthly, { type: 'boundary', n: 1 }, [], at('2025-02-01')],
  ['boundary 1 after a freeze of four days', monthly, { type: 'boundary', n: 1 }, frozen(5, 9), at('2025-02-05')],
  ['boundary 0 in a trial: its end', inTrial, { type: 'boundary', n: 0 }, [], jan(15)],
  ['boundary 1 in a trial', inTrial, { type: 'boundary', n: 1 }, [], null],
  ['the 20th as asked for on the 1st', monthly, { type: 'date', at: jan(20), setAt: jan(1) }, frozen(5, 9), jan(24)],
  ['the 20th as asked for on the 6th, in the freeze', monthly, { type: 'date', at: jan(20), setAt: jan(6) }, frozen(5, 9), jan(20)],
  ['the 20th as asked for at the freeze’s begin', monthly, { type: 'date', at: jan(20), setAt: jan(5) }, frozen(5, 9), jan(24)],
])('%s', (_, contract, when, pauses, expected) => {
  expect(time.whenAt(contract, when, pauses)).toBe(expected);
});

test.each<[string, Contract, number | null]>([
  ['a monthly contract in its first period', monthly, at('2025-02-01')],
  ['one in its second', { ...monthly, currentIdx: 2 }, at('2025-03-01')],
  ['a once contract', once, null],
  ['a trial', inTrial, jan(15)],
  ['one that is scheduled', scheduled, null],
  ['one that has started without a period', { ...monthly, currentIdx: null }, null],
])('the end of the cycle of %s', (_, contract, expected) => {
  expect(time.cycleEnd(contract, [])).toBe(expected);
});

test('an expiration on the 20th, set on the 1st, moves with a freeze of four days; without one there is none', () => {
  expect(time.expirationAt({ ...monthly, expiration: { at: jan(20), setAt: jan(1) } }, frozen(5, 9))).toBe(jan(24));
  expect(time.expirationAt({ ...monthly, expiration: { at: jan(20), setAt: jan(6) } }, frozen(5, 9))).toBe(jan(20));
  expect(time.expirationAt({ ...monthly, expiration: null }, frozen(5, 9))).toBeNull();
});

const span = { start: jan(1), end: jan(31) };
const days = (part: number, whole: number) => ({ part: part * 86_400_000, whole: whole * 86_400_000 });

test.each<[string, { start: number; end: number | null } | null, number, Pause[], unknown]>([
  ['from the 11th', span, 11, [], days(20, 30)],
  ['from its start', span, 1, [], days(30, 30)],
  ['from the day it ends', span, 31, [], null],
  ['from the day before', span, 30, [], days(1, 30)],
  ['after a freeze of five days, from the 21st', span, 21, frozen(5, 10), days(15, 30)],
  ['while a freeze lasts', span, 21, frozen(5, null), null],
  ['that began before the line', { start: jan(6), end: jan(16) }, 11, frozen(5, 10), days(5, 10)],
  ['of a line without an end', { start: jan(1), end: null }, 11, [], null],
  ['of a line without time', null, 11, [], null],
  ['of a line that has yet to begin', { start: jan(11), end: jan(21) }, 1, [], days(10, 10)],
])('what lies ahead of a line of 1–31 January %s', (_, of, from, pauses, expected) => {
  expect(time.remainingOf({ span: of }, jan(from), pauses)?.share ?? null).toEqual(expected);
});

test('usage is cut at a change dated before now, else now', () => {
  const pending = (when: When): Contract => ({
    ...monthly,
    pendingChange: { successorId: 'Cont_2', when, kind: 'new_plan', isDowngrade: false, requestedAt: jan(1) },
  });
  const dated = pending({ type: 'date', at: jan(10), setAt: jan(1) });
  expect(time.usageCutOf(monthly, [], jan(11))).toBe(jan(11));
  expect(time.usageCutOf(dated, [], jan(11))).toBe(jan(10));
  expect(time.usageCutOf(dated, [], jan(9))).toBe(jan(9));
  expect(time.usageCutOf(dated, frozen(5, 9), jan(15))).toBe(jan(14));
  expect(time.usageCutOf(dated, frozen(5, null), jan(15))).toBe(jan(15));
  expect(time.usageCutOf(pending({ type: 'boundary', n: 1 }), [], at('2025-02-03'))).toBe(at('2025-02-03'));
});

test('the share of a period: 15 of 31 days; all of it without an end or cycles', () => {
  expect(time.periodShare(monthly, 1, jan(1), jan(16), [])).toEqual(days(15, 31));
  expect(time.periodShare(monthly, 1, jan(1), null, [])).toEqual({ part: 1, whole: 1 });
  expect(time.periodShare(once, 1, jan(1), jan(16), [])).toEqual({ part: 1, whole: 1 });
});

test('usage cut off by an expiration on the 16th pays for the whole month, but nothing where none of it was lived', () => {
  const expires: Contract = { ...monthly, expiration: { at: jan(16), setAt: jan(1) } };
  const unchanged = (from: number, until: number | null) => ({ from: jan(from), until: until && jan(until), isNew: false });
  expect(usageShare(expires, 1, unchanged(1, 16), [])).toEqual(days(31, 31));
  expect(usageShare(monthly, 1, unchanged(1, 16), [])).toEqual(days(15, 31));
  expect(usageShare(expires, 1, unchanged(1, 15), [])).toEqual(days(14, 31));
  expect(usageShare(expires, 1, unchanged(16, 16), [])).toEqual(days(0, 31));
  expect(usageShare(monthly, 1, unchanged(1, null), [])).toEqual({ part: 1, whole: 1 });
});

test('usage at a price that a change began on the 11th pays up to the expiration on the 16th, or to its own earlier end', () => {
  const expires: Contract = { ...monthly, expiration: { at: jan(16), setAt: jan(1) } };
  const begun = (until: Instant | null) => ({ from: jan(11), until, isNew: true });
  expect(usageShare(expires, 1, begun(jan(16)), [])).toEqual(days(5, 31));
  expect(usageShare(expires, 1, begun(at('2025-02-01')), [])).toEqual(days(5, 31));
  expect(usageShare(expires, 1, begun(jan(14)), [])).toEqual(days(3, 31));
  expect(usageShare(monthly, 1, begun(at('2025-02-01')), [])).toEqual(days(21, 31));
});

test('what has not begun has no periods: named in the error', () => {
  expect(() => time.rhythmOf(inTrial, [])).toThrow(
    expect.objectContaining({
      problems: [{ field: 'contract', code: 'not_started', message: `${inTrial.id} has no billing period yet` }],
    }),
  );
  const problem = (message: string) => expect.objectContaining({ problems: [{ field: 'period', code: 'unknown_period', message }] });
  expect(() => time.periodBounds(monthly, 3, frozen(5, null))).toThrow(problem('period 3 has no known start'));
  expect(() => time.customBounds(monthly, 'year', 1, frozen(5, null))).toThrow(problem('year 1 has no known start'));
});

test('cycles count along the chain: rhythm cycle 3 + 1 − 1, chain cycle 2 + 1', () => {
  expect([time.rhythmCycle({ firstCycle: 3 }, 1), time.chainCycle({ cyclesBefore: 2 }, 1)]).toEqual([3, 3]);
  expect(time.CUSTOM_TRIGGERS).toEqual(['month', 'quarter', 'year']);
});
