import type { Cycle } from '../../../billing/calendar/cycle.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { ChargeTrigger } from '../../../billing/pricing/price.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';

// 10.00 a month is another price than 10.00 a week: what it charges goes on with nothing that the other one charged.

const a = (cycle: Cycle): Offer => planOffer('a', { price: '10', cycle, features: { seats: seats('5', '1') } });
const b = (cycle: Cycle): Offer => planOffer('b', { price: '100', cycle, features: { seats: seats('5', '1') } });

/** The last invoice after changes at one date, where every line can be explained. */
function invoiceAfter(story: Story, date: string, ...offers: Offer[]): string | undefined {
  for (const offer of offers) changes(story, date, changeToPlan(offer, { downgradeAllowed: true }));
  for (const { amounts, recomputed } of [...story.ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
  return invoicesOf(story).at(-1);
}

const june21: SignWords = { expiration: '2025-06-21' };
test.each<[string, string, Cycle, SignWords, string, Offer]>([
  [
    'a month to a week that ends with it: −2.33 and −1.17, +10.00 and +5.00',
    '2025-06-24 11.50: credit plan -2.33, credit feature:seats -1.17, plan 10.00, feature:seats 5.00',
    'month',
    {},
    '2025-06-01',
    a('week'),
  ],
  [
    'a year to a month that ends with it: −0.85 and −0.42, +10.00 and +5.00',
    '2025-03-01 13.73: credit plan -0.85, credit feature:seats -0.42, plan 10.00, feature:seats 5.00',
    'year',
    {},
    '2024-04-01',
    a('month'),
  ],
  [
    'a quarter to a month that ends with it: −3.37 and −1.68, +10.00 and +5.00',
    '2025-05-01 9.95: credit plan -3.37, credit feature:seats -1.68, plan 10.00, feature:seats 5.00',
    'quarter',
    {},
    '2025-03-01',
    a('month'),
  ],
  [
    'a month to a week of another plan, a seat at the same number: −1.17 and +5.00',
    '2025-06-24 101.50: credit plan -2.33, credit feature:seats -1.17, plan 100.00, feature:seats 5.00',
    'month',
    {},
    '2025-06-01',
    b('week'),
  ],
  [
    'a month to a year, both cut off on 21 June: a seat −1.67 and +0.14',
    '2025-06-11 0.00: credit plan -3.33, credit feature:seats -1.67, plan 0.27, feature:seats 0.14, wallet 4.59',
    'month',
    june21,
    '2025-06-01',
    a('year'),
  ],
])('from %s', (_, expected, cycle, words, signed, offer) => {
  expect(invoiceAfter(signs(signed, a(cycle), words), expected.slice(0, 10), offer)).toBe(expected);
});

test('from a month to a year and back at one instant, 2 of 31 days before the end: −0.65 and +0.65, though by the price it were 0.71', () => {
  const story = signs('2025-01-15', a('month'), { expiration: '2025-02-12' });
  for (const _ of ['once', 'twice']) {
    expect(invoiceAfter(story, '2025-02-10', a('year'))).toBe(
      '2025-02-10 0.00: credit plan -0.65, credit feature:seats -0.32, plan 0.05, feature:seats 0.03, wallet 0.89',
    );
    expect(invoiceAfter(story, '2025-02-10', a('month'))).toBe(
      '2025-02-10 0.89: credit plan -0.05, credit feature:seats -0.03, plan 0.65, feature:seats 0.32',
    );
  }
});

describe('a price with a cycle of its own', () => {
  const supported = (own: string, trigger: ChargeTrigger, amount: string, freeCycles = 0) =>
    planOffer(`s${own}`, { price: own, features: { support: [trigger, price(amount, { kind: 'flat' }, freeCycles)] } });

  test('of 365.00 a year, then a quarter, to 21 June: −10.00 and +39.67', () => {
    const story = signs('2025-06-01', supported('31', 'year', '365'), june21);
    expect(invoiceAfter(story, '2025-06-11', supported('62', 'quarter', '365'))).toBe(
      '2025-06-11 40.01: credit plan -10.33, credit feature:support -10.00, plan 20.67, custom feature:support 39.67',
    );
  });

  test('of 10.005 each cycle, then each month, goes on: 5.01 were given back, 5.01 are charged', () => {
    const story = signs('2025-06-01', supported('30', 'every_cycle', '10.005'));
    expect(invoiceAfter(story, '2025-06-16', supported('60', 'month', '10.005'))).toBe(
      '2025-06-16 15.00: credit plan -15.00, credit feature:support -5.01, plan 30.00, custom feature:support 5.01',
    );
  });

  test('that began free stays free in the same cycle, and is paid in another: 0.00 to the end of the quarter, 320.00 to that of the year', () => {
    const began = () => signs('2025-01-01', supported('31', 'quarter', '365', 1));
    expect(invoiceAfter(began(), '2025-02-15', supported('62', 'quarter', '365', 1))).toBe(
      '2025-02-15 15.50: credit plan -15.50, plan 31.00, custom feature:support 0.00',
    );
    expect(invoiceAfter(began(), '2025-02-15', supported('62', 'year', '365', 1))).toBe(
      '2025-02-15 335.50: credit plan -15.50, plan 31.00, custom feature:support 320.00',
    );
  });
});
