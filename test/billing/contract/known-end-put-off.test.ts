import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { planOffer, price } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

const priced = (amount: string, cycle: 'month' | 'year' = 'month') => planOffer(`${cycle}${amount}`, { price: amount, cycle });
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);

type When = Parameters<typeof planCancellation>[1]['when'];
const cancels = (story: Story, date: string, when: When, credit = false): void =>
  void story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit, notes: null }, now, newId));
const undoes = (story: Story, date: string): void => void story.does(date, planCancelUndo);
const on = (date: string): When => ({ type: 'date', date: at(date) });

describe('what was changed away, when the end of the contract is taken back or put off', () => {
  const wide = planOffer('wide', { price: '30', features: { extra: price('60') } });

  test('comes back to the end of its time, also where the new plan has nothing in its place', () => {
    const story = signs('2025-06-01', wide);
    cancels(story, '2025-06-02', on('2025-06-21'));
    changes(story, '2025-06-11', changeToPlan(priced('300')));
    undoes(story, '2025-06-15');
    expect(since(story, 1)).toEqual([
      '2025-06-11 70.00: credit plan -10.00, credit feature:extra -20.00, plan 100.00',
      '2025-06-15 70.00: credit plan -10.00, credit feature:extra -20.00, plan 100.00',
    ]);
    story.advance('2025-07-01');
    expect(since(story, 3)).toEqual(['2025-07-01 300.00: plan 300.00']);
  });

  test('comes back part by part as the end is put off, and not when it is brought forward', () => {
    const story = signs('2025-06-01', wide);
    cancels(story, '2025-06-02', on('2025-06-21'));
    changes(story, '2025-06-11', changeToPlan(priced('300')));
    cancels(story, '2025-06-12', on('2025-06-18'));
    cancels(story, '2025-06-13', on('2025-06-24'));
    undoes(story, '2025-06-14');
    expect(since(story, 2)).toEqual([
      '2025-06-13 21.00: credit plan -3.00, credit feature:extra -6.00, plan 30.00',
      '2025-06-14 49.00: credit plan -7.00, credit feature:extra -14.00, plan 70.00',
    ]);
  });

  test('comes back of a year paid ahead, after a change to shorter cycles that have gone on since', () => {
    const story = signs('2025-06-01', priced('365', 'year'));
    cancels(story, '2025-06-02', on('2025-08-21'));
    changes(story, '2025-06-11', changeToPlan(priced('300'), { downgradeAllowed: true }));
    undoes(story, '2025-08-15');
    expect(since(story, 1)).toEqual([
      '2025-06-11 229.00: credit plan -71.00, plan 300.00',
      '2025-07-11 300.00: plan 300.00',
      '2025-08-11 300.00: plan 300.00',
      '2025-08-15 0.00: credit plan -284.00, wallet 284.00',
    ]);
  });

  test('comes back of a year paid ahead whole, where the first month was cut short too', () => {
    const story = signs('2025-06-01', priced('365', 'year'));
    cancels(story, '2025-06-02', on('2025-06-21'));
    changes(story, '2025-06-11', changeToPlan(priced('300'), { downgradeAllowed: true }));
    undoes(story, '2025-06-15');
    story.advance('2025-07-11');
    expect(since(story, 1)).toEqual([
      '2025-06-11 90.00: credit plan -10.00, plan 100.00',
      '2025-06-15 0.00: credit plan -345.00, plan 200.00, wallet 145.00',
      '2025-07-11 300.00: plan 300.00',
    ]);
  });
});

test('what is charged on from an end that lay ahead moves with a freeze before it', () => {
  const story = signs('2025-06-01', priced('30'));
  cancels(story, '2025-06-02', on('2025-06-21'));
  changes(story, '2025-06-11', changeToPlan(priced('300')));
  undoes(story, '2025-06-15');
  freeze(story, at('2025-06-16'));
  unfreeze(story, at('2025-06-18'));
  changes(story, '2025-06-24', changeToPlan(priced('600')));
  // 9 of 30 running days are left, of them all in the 10 that were charged on
  expect(since(story, 3)).toEqual(['2025-06-24 90.00: credit plan -90.00, plan 180.00']);
});

test('an end put off twice with a freeze between: each day is charged once', () => {
  const story = signs('2025-06-01', priced('30'));
  cancels(story, '2025-06-02', on('2025-06-21'));
  changes(story, '2025-06-11', changeToPlan(priced('300')));
  cancels(story, '2025-06-15', on('2025-06-25'));
  freeze(story, at('2025-06-16'));
  unfreeze(story, at('2025-06-18'));
  undoes(story, '2025-06-19');
  expect(since(story, 2)).toEqual(['2025-06-15 36.00: credit plan -4.00, plan 40.00', '2025-06-19 54.00: credit plan -6.00, plan 60.00']);
});

describe('a change of currency before a known end', () => {
  const supported = (amount: string, currency: 'usd' | 'eur') =>
    planOffer('s', { price: '30', currency, features: { support: ['year', price(amount)] } });
  const changed = (credit: boolean): Story => {
    const story = signs('2025-06-01', supported('365', 'usd'));
    cancels(story, '2025-06-02', on('2025-08-20'), credit);
    changes(story, '2025-06-11', changeToPlan(supported('730', 'eur'), { activation: 'next_cycle' }));
    story.advance('2025-07-15');
    return story;
  };

  test('gives everything back at once, so that one invoice holds one currency when the end is taken back', () => {
    const story = changed(false);
    undoes(story, '2025-07-15');
    expect(since(story, 1)).toEqual([
      '2025-07-01 0.00: credit feature:support -335.00, wallet 335.00',
      '2025-07-01 130.00: plan 30.00, custom feature:support 100.00',
      '2025-07-15 570.00: custom feature:support 570.00',
    ]);
  });

  test('and when it comes with a credit', () => {
    const story = changed(true);
    story.advance('2025-08-20');
    expect(story.contract().status).toBe('canceled');
    expect(since(story, 4)).toEqual(['2025-08-20 0.00: credit plan -11.61, wallet 11.61']);
  });
});
