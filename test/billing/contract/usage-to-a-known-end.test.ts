import type { Cycle } from '../../../billing/calendar/cycle.ts';
import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { usageOf } from '../../../billing/contract/charge/usage-view.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// Minimum and fee of usage, 300.00 a cycle, where a change begins a period that the contract doesn't live to its end.

type Owed = 'fee' | 'minimum';
const calls = (amount: '1' | '0.50', owed: Owed) =>
  usagePrice(amount, owed === 'fee' ? { flatFee: '300' } : { minimum: amount === '1' ? '300' : '600' });
const offer = (slug: string, own: string, amount: '1' | '0.50', owed: Owed, cycle: Cycle = 'month'): Offer =>
  planOffer(slug, { price: own, cycle, features: { seats: seats('5', '1'), calls: calls(amount, owed) } });
const a = (owed: Owed, cycle?: Cycle) => offer('a', '10', '1', owed, cycle);
const b = (owed: Owed, cycle?: Cycle) => offer('b', '100', '0.50', owed, cycle);
/** Another plan at the same price of calls. */
const c = (owed: Owed, cycle?: Cycle) => offer('c', '100', '1', owed, cycle);
const now = { downgradeAllowed: true };
const later = { activation: 'next_cycle' };
const june21: SignWords = { expiration: '2025-06-21' };
const july11: SignWords = { expiration: '2025-07-11' };

/** What the last usage line charges once the contract has ended, where every line can be explained. */
function lastOwed(story: Story): string | undefined {
  story.advance('2026-08-01');
  const lines = [...story.ledger.lines.values()];
  for (const { amounts, recomputed } of lines.map(explainLine)) expect(recomputed).toEqual(amounts);
  return lines.findLast(({ kind }) => kind === 'usage')?.subtotal;
}

const signedA = (owed: Owed, words: SignWords): Story => signs('2025-06-01', a(owed), words);
const changed = (story: Story, date: string, ...request: Parameters<typeof changeToPlan>): Story => {
  changes(story, date, changeToPlan(...request));
  return story;
};

describe.each(['fee', 'minimum'] as const)('a %s of 300.00 a cycle', (owed) => {
  test.each<[string, string, () => Story]>([
    ['year of another plan from 11 June, end 21 June', '8.22', () => changed(signedA(owed, june21), '2025-06-11', b(owed, 'year'), now)],
    ['year of the same plan from 11 June, end 21 June', '8.22', () => changed(signedA(owed, june21), '2025-06-11', a(owed, 'year'), now)],
    ['month of another plan from 11 June, end 21 June', '100.00', () => changed(signedA(owed, june21), '2025-06-11', b(owed), now)],
    ['month of another plan from 1 July, end 11 July', '96.77', () => changed(signedA(owed, july11), '2025-06-10', b(owed), later)],
    [
      'month of another plan from the first instant, 1 June, end 21 June',
      '200.00',
      () => changed(signedA(owed, june21), '2025-06-01', b(owed), now),
    ],
    [
      'year from 11 June, a seat more on 15 June, end 21 June',
      '8.22',
      () => {
        const story = changed(signedA(owed, june21), '2025-06-11', b(owed, 'year'), now);
        changes(story, '2025-06-15', toUnits({ seats: '2' }));
        return story;
      },
    ],
    [
      'year from 11 June, frozen for three days, end moved to 24 June',
      '8.22',
      () => {
        const story = changed(signedA(owed, june21), '2025-06-11', b(owed, 'year'), now);
        freeze(story, at('2025-06-12'));
        unfreeze(story, at('2025-06-15'));
        return story;
      },
    ],
    [
      'month, by the year and back at one instant on 11 June, end 21 June',
      '100.00',
      () => changed(changed(signedA(owed, june21), '2025-06-11', b(owed, 'year'), now), '2025-06-11', a(owed), now),
    ],
    [
      'year from 11 June, closed by hand on 15 June, end 21 June',
      '8.22',
      () => {
        const story = changed(signedA(owed, june21), '2025-06-11', b(owed, 'year'), now);
        story.does('2025-06-15', (snapshot, instant, newId) => planUsageClosing(snapshot, 1, instant, newId));
        return story;
      },
    ],
    [
      'year from 11 June, canceled for 21 June',
      '8.22',
      () => {
        const story = signedA(owed, {});
        const request = { when: { type: 'date', date: at('2025-06-21') }, credit: false, notes: null } as const;
        story.does('2025-06-02', (snapshot, instant, newId) => planCancellation(snapshot, request, instant, newId));
        return changed(story, '2025-06-11', b(owed, 'year'), now);
      },
    ],
  ])('%s: %s', (_, expected, tell) => {
    expect(lastOwed(tell())).toBe(expected);
  });

  test.each<[string, () => Story]>([
    ['nothing was changed', () => signedA(owed, june21)],
    ['the change was in the period before', () => changed(signedA(owed, july11), '2025-06-11', b(owed), now)],
    ['the change kept the price on 11 June', () => changed(signedA(owed, june21), '2025-06-11', c(owed), now)],
    ['the change kept the price at the first instant', () => changed(signedA(owed, june21), '2025-06-01', c(owed), now)],
    ['the change kept the price and the cycle on 1 July', () => changed(signedA(owed, july11), '2025-06-10', c(owed), later)],
    [
      'only seats came on 1 July',
      () => {
        const story = signedA(owed, july11);
        changes(story, '2025-06-10', toUnits({ seats: '2' }, later));
        return story;
      },
    ],
    [
      'the week that a change began on 11 June had ended, and the second one is cut off',
      () => changed(signedA(owed, june21), '2025-06-11', b(owed, 'week'), now),
    ],
    [
      'the change had waited for the end of the trial',
      () => changed(signs('2025-06-01', a(owed), { trialDays: 10, ...june21 }), '2025-06-05', b(owed), later),
    ],
    [
      'the rule of the change charges a whole cycle',
      () => {
        const changeRules = { upgrade: { when: 'now', proration: 'full', collect: 'now', credit: 'wallet' } } as const;
        return changed(signedA(owed, { changeRules, ...june21 }), '2025-06-11', b(owed), now);
      },
    ],
  ])('is owed whole at an expiration where %s', (_, tell) => {
    expect(lastOwed(tell())).toBe('300.00');
  });
});

test('from 1 July to 11 July the base is 32.26, a seat 1.61 and the fee 96.77; June is owed whole', () => {
  const story = changed(signedA('fee', july11), '2025-06-10', b('fee'), later);
  story.advance('2025-08-01');
  expect(invoicesOf(story).slice(1)).toEqual([
    '2025-07-01 300.00: usage feature:calls 300.00',
    '2025-07-01 33.87: plan 32.26, feature:seats 1.61',
    '2025-07-11 96.77: usage feature:calls 96.77',
  ]);
});

test('calls that come with another plan on 1 July owe 96.77 up to 11 July', () => {
  const plain = planOffer('plain', { price: '10' });
  expect(lastOwed(changed(signs('2025-06-01', plain, july11), '2025-06-10', b('fee'), later))).toBe('96.77');
});

test('another currency is another price: 96.77 from 1 to 11 July', () => {
  const euros = planOffer('a', { price: '10', currency: 'eur', features: { seats: price('5'), calls: calls('1', 'fee') } });
  expect(lastOwed(changed(signedA('fee', july11), '2025-06-10', euros, later))).toBe('96.77');
});

test('open usage of the year that began on 11 June is shown with its fee to 21 June, 8.22', () => {
  const story = changed(signedA('fee', june21), '2025-06-11', b('fee', 'year'), now);
  const { contract, periods, usage, earlier } = snapshotOf(story.ledger, story.id(), at('2025-06-15'));
  const [period] = periods;
  if (period === undefined) throw new Error('no period');
  expect(usageOf({ contract, period, usage }, earlier, []).map(({ amount }) => amount)).toEqual(['8.22']);
});
