import { at } from '../../../billing/calendar/instant.ts';
import { estimateCancel } from '../../../billing/contract/estimate/cancel-estimate.ts';
import type { ChangeRule, Proration } from '../../../billing/contract/terms/change-rules.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { cancelsFor, followsRule, made, monthly, takesBack, to } from '../../support-billing/known-ends.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// A change charged a line up to a known end, a later one by `difference` or `none` let it go on, and then the end is
// taken back or put off: the line goes on at its own price.

/** Signed at 30.00 on 1 June, canceled for 21 June, changed by time on 5 June: −16.00 and twice as much. */
function cut(from: Offer, then: Offer, words: SignWords = {}): Story {
  const story = signs('2025-06-01', from, words);
  cancelsFor(story, '2025-06-02', '2025-06-21');
  to(story, '2025-06-05', 'time', then);
  return story;
}
const from30To60 = (words: SignWords = {}): Story => cut(monthly('30'), monthly('60'), words);

describe('30 → 60 by time on 5 June with the end on 21 June, then on 10 June to 90, and the end is taken back on 15 June', () => {
  it.each<[Proration, string[]]>([
    ['difference', ['2025-06-10 30.00: plan 30.00', '2025-06-15 10.00: credit plan -10.00, plan 20.00', '2025-07-01 90.00: plan 90.00']],
    ['none', ['2025-06-15 10.00: credit plan -10.00, plan 20.00', '2025-07-01 90.00: plan 90.00']],
  ])('by %s: ten days of 60.00, and ten of 30.00 come back', (proration, expected) => {
    const story = from30To60();
    to(story, '2025-06-10', proration, monthly('90'));
    takesBack(story, '2025-06-15');
    story.advance('2025-07-01');
    expect(made(story)).toEqual(expected);
  });

  it('to 20, by difference: the dearer line goes on, for nothing falls before the next cycle', () => {
    const story = from30To60();
    to(story, '2025-06-10', 'difference', monthly('20'));
    takesBack(story, '2025-06-15');
    story.advance('2025-07-01');
    expect(made(story)).toEqual(['2025-06-15 10.00: credit plan -10.00, plan 20.00', '2025-07-01 20.00: plan 20.00']);
  });

  it('all at the instant of the change', () => {
    const story = signs('2025-06-01', monthly('30'));
    cancelsFor(story, '2025-06-05', '2025-06-21');
    to(story, '2025-06-05', 'time', monthly('60'));
    to(story, '2025-06-05', 'difference', monthly('90'));
    to(story, '2025-06-05', 'difference', monthly('100'));
    takesBack(story, '2025-06-05');
    expect(made(story)).toEqual([
      '2025-06-05 30.00: plan 30.00',
      '2025-06-05 10.00: plan 10.00',
      '2025-06-05 10.00: credit plan -10.00, plan 20.00',
    ]);
  });

  it('by two differences: the line that was cut goes on once, and neither difference', () => {
    const story = from30To60();
    to(story, '2025-06-10', 'difference', monthly('90'));
    to(story, '2025-06-11', 'difference', monthly('100'));
    takesBack(story, '2025-06-15');
    expect(made(story).slice(2)).toEqual(['2025-06-15 10.00: credit plan -10.00, plan 20.00']);
  });

  it('by time without credit: 60.00 to 21 June is lost, and what the 30.00 had charged for later comes back', () => {
    const story = from30To60();
    to(story, '2025-06-10', { proration: 'time', credit: 'none' }, monthly('90'));
    takesBack(story, '2025-06-15');
    expect(made(story)).toEqual(['2025-06-10 33.00: plan 33.00', '2025-06-15 20.00: credit plan -10.00, plan 30.00']);
  });
});

describe('an end that is put off and taken back', () => {
  it('each day of the line that goes on is charged once', () => {
    const story = from30To60();
    to(story, '2025-06-10', 'difference', monthly('90'));
    cancelsFor(story, '2025-06-12', '2025-06-25');
    cancelsFor(story, '2025-06-13', '2025-06-23');
    cancelsFor(story, '2025-06-14', '2025-06-25');
    takesBack(story, '2025-06-15');
    cancelsFor(story, '2025-06-16', '2025-06-20');
    takesBack(story, '2025-06-17');
    expect(made(story).slice(1)).toEqual([
      '2025-06-12 4.00: credit plan -4.00, plan 8.00',
      '2025-06-15 6.00: credit plan -6.00, plan 12.00',
    ]);
  });

  it('put off beyond the cycle: up to the end of the cycle, and the next one is whole', () => {
    const story = from30To60();
    to(story, '2025-06-10', 'none', monthly('90'));
    cancelsFor(story, '2025-06-12', '2025-07-05');
    story.advance('2025-07-06');
    expect(made(story)).toEqual(['2025-06-12 10.00: credit plan -10.00, plan 20.00', '2025-07-01 90.00: plan 90.00']);
  });

  it('a freeze moves what is charged on: each day is charged once', () => {
    const story = from30To60();
    to(story, '2025-06-10', 'difference', monthly('90'));
    cancelsFor(story, '2025-06-12', '2025-06-25');
    freeze(story, at('2025-06-13'));
    unfreeze(story, at('2025-06-16'));
    takesBack(story, '2025-06-17');
    const lines = [...story.ledger.lines.values()].filter(({ chargeKey }) => chargeKey.startsWith('rest:'));
    expect(lines.map(({ span }) => span)).toEqual([
      { start: at('2025-06-21'), end: at('2025-06-25') },
      { start: at('2025-06-28'), end: at('2025-07-04') },
    ]);
    expect(made(story).slice(1)).toEqual([
      '2025-06-12 4.00: credit plan -4.00, plan 8.00',
      '2025-06-17 6.00: credit plan -6.00, plan 12.00',
    ]);
  });

  it('then changed by time: all that was charged on comes back with the rest, and taken back again once', () => {
    const story = from30To60();
    to(story, '2025-06-10', 'difference', monthly('90'));
    cancelsFor(story, '2025-06-12', '2025-06-25');
    to(story, '2025-06-16', 'time', monthly('300'));
    takesBack(story, '2025-06-17');
    expect(made(story).slice(2)).toEqual([
      // 5 and 4 days of 60.00, 9 of the 21 days of the difference, for 9 days of 300.00
      '2025-06-16 59.14: credit plan -10.00, credit plan -12.86, credit plan -8.00, plan 90.00',
      '2025-06-17 45.43: credit plan -6.00, credit plan -8.57, plan 60.00',
    ]);
  });
});

describe('what else went on', () => {
  const wide = (amount: string, extra: string) => monthly(amount, { features: { extra: price(extra) } });

  it.each<[Proration, string[]]>([
    ['none', ['2025-06-15 20.00: credit plan -10.00, credit feature:extra -10.00, plan 20.00, feature:extra 20.00']],
    [
      'difference',
      [
        '2025-06-10 30.00: plan 30.00',
        '2025-06-15 20.00: credit plan -10.00, credit feature:extra -10.00, plan 20.00, feature:extra 20.00',
      ],
    ],
  ])(
    'by %s, an extra of 60.00 that the new plan of 150.00 has no more: it pays for the plan up to the next cycle',
    (proration, expected) => {
      const story = cut(wide('30', '30'), wide('60', '60'));
      to(story, '2025-06-10', proration, monthly('150'));
      takesBack(story, '2025-06-15');
      story.advance('2025-07-01');
      expect(made(story)).toEqual([...expected, '2025-07-01 150.00: plan 150.00']);
    },
  );

  it('seats alone: the plan that no change has touched is whole', () => {
    const team = monthly('7', { features: { seats: seats('30', '1') } });
    const story = signs('2025-06-01', team);
    cancelsFor(story, '2025-06-02', '2025-06-21');
    changes(story, '2025-06-05', toUnits({ seats: '2' }));
    followsRule(story, { proration: 'difference' });
    changes(story, '2025-06-10', toUnits({ seats: '3' }));
    takesBack(story, '2025-06-15');
    expect(made(story)).toEqual([
      '2025-06-10 30.00: feature:seats 30.00',
      '2025-06-15 10.00: credit feature:seats -10.00, feature:seats 20.00',
    ]);
  });

  it('a year line and one of a quarter: to their own ends', () => {
    const supported = (amount: string, care: string, audit: string) =>
      monthly(amount, { features: { care: ['year', price(care)], audit: ['quarter', price(audit)] } });
    const story = cut(supported('0', '365', '92'), supported('1', '730', '184'));
    to(story, '2025-06-10', 'difference', supported('2', '1000', '200'));
    takesBack(story, '2025-06-15');
    // 26 days of 1.00 a month are 0.87, of which 16 were charged with 0.53
    expect(made(story).at(-1)).toBe(
      '2025-06-15 417.34: credit feature:audit -72.00, credit feature:care -345.00, plan 0.34, custom feature:audit 144.00, custom feature:care 690.00',
    );
  });

  it('a month before a year began by difference: to the end of the month that was cut, by its own length', () => {
    const story = cut(monthly('30'), monthly('60'));
    to(story, '2025-06-10', 'difference', planOffer('year', { price: '365', cycle: 'year' }));
    takesBack(story, '2025-06-15');
    expect(made(story)).toEqual(['2025-06-10 305.00: plan 305.00', '2025-06-15 10.00: credit plan -10.00, plan 20.00']);
  });

  it('what is paid to the expiration, before months began by difference: by its own length', () => {
    const whole = (amount: string) => planOffer(`c${amount}`, { price: amount, cycle: 'constant' });
    const story = cut(whole('365'), whole('730'), { expiration: '2026-06-01' });
    followsRule(story, { proration: 'difference' });
    changes(story, '2025-06-10', changeToPlan(monthly('30'), { downgradeAllowed: true }));
    takesBack(story, '2025-06-15');
    expect(made(story)).toEqual(['2025-06-15 345.00: credit plan -345.00, plan 690.00']);
  });

  it('a price of the year that now is one of the cycle: two lines of one source go on to two ends', () => {
    const yearly = (care: string) => monthly('0', { features: { care: ['year', price(care)] } });
    const story = signs('2025-06-01', yearly('365'));
    cancelsFor(story, '2025-06-02', '2025-07-21');
    to(story, '2025-06-11', 'time', yearly('730'));
    followsRule(story, { proration: 'difference' });
    changes(story, '2025-06-20', changeToPlan(monthly('1', { features: { care: price('31') } }), { activation: 'next_cycle' }));
    takesBack(story, '2025-07-10');
    expect(made(story, 1)).toEqual([
      '2025-06-11 40.00: credit feature:care -40.00, plan 0.00, custom feature:care 80.00',
      '2025-07-01 20.65: plan 0.65, feature:care 20.00',
      '2025-07-10 326.35: credit feature:care -315.00, custom feature:care 630.00, plan 0.35, feature:care 11.00',
    ]);
  });
});

describe('as the line was charged itself', () => {
  const off = (type: 'percentage' | 'flat', amount: string) =>
    ({ originalDiscountId: null, slug: 'd', name: 'D', type, amount, currency: type === 'flat' ? 'usd' : null, duration: 3 }) as const;

  it('with its own discount, though the change gave another: 10 % of 60.00 for ten days', () => {
    const story = from30To60({ discount: off('percentage', '10') });
    followsRule(story, { proration: 'none' });
    changes(story, '2025-06-10', changeToPlan(monthly('90'), { discount: off('percentage', '50') }));
    takesBack(story, '2025-06-15');
    expect(made(story)).toEqual(['2025-06-15 9.00: credit plan -9.00, plan 18.00']);
    const rest = [...story.ledger.lines.values()].find(({ chargeKey }) => chargeKey.startsWith('rest:'));
    expect(rest).toMatchObject({ subtotal: '20.00', discountAmount: '2.00', discountDescription: 'D: 10 %' });
  });

  it('with its own share of a flat discount', () => {
    const two = (amount: string, extra: string) => monthly(amount, { features: { extra: price(extra) } });
    const story = cut(two('30', '15'), two('60', '30'), { discount: off('flat', '9.00') });
    to(story, '2025-06-10', 'difference', monthly('200'));
    takesBack(story, '2025-06-15');
    // 6.00 and 3.00 off the whole lines
    expect(made(story).at(-1)).toBe('2025-06-15 15.00: credit plan -8.00, credit feature:extra -4.00, plan 18.00, feature:extra 9.00');
  });

  it('free in a free cycle, though the price that follows has none', () => {
    const free = (amount: string) => planOffer(`f${amount}`, { price: price(amount, { kind: 'flat' }, 1) });
    const story = cut(free('30'), free('60'));
    to(story, '2025-06-10', 'none', monthly('90'));
    takesBack(story, '2025-06-15');
    expect(made(story, 1)).toEqual(['2025-06-05 0.00: plan 0.00', '2025-06-15 0.00: plan 0.00']);
  });

  it('a year that began in a free cycle stays free, though the end is taken back in the next', () => {
    const care = (amount: string, year: string) => monthly(amount, { features: { care: ['year', price(year, { kind: 'flat' }, 1)] } });
    const story = signs('2025-06-01', care('0', '365'));
    cancelsFor(story, '2025-06-02', '2025-07-21');
    to(story, '2025-06-05', 'time', care('1', '730'));
    takesBack(story, '2025-07-10');
    expect(made(story).at(-1)).toBe('2025-07-10 0.00: custom feature:care 0.00');
  });
});

describe('what does not go on', () => {
  it('a line whose time is lost', () => {
    const story = from30To60();
    to(story, '2025-06-10', { proration: 'difference' }, monthly('90'));
    to(story, '2025-06-12', 'full', monthly('120'));
    takesBack(story, '2025-06-15');
    expect(made(story).slice(1)).toEqual(['2025-06-12 120.00: plan 120.00', '2025-06-15 0.00: credit plan -10.00, wallet 10.00']);
  });

  it.each<[string, Partial<ChangeRule>]>([
    ['full', { proration: 'full' }],
    ['time without credit', { proration: 'time', credit: 'none' }],
  ])('what a change by time owes for the time after the end is not lost with a later change by %s', (_, rule) => {
    const story = signs('2025-06-01', monthly('300'));
    cancelsFor(story, '2025-06-02', '2025-06-21');
    followsRule(story, { proration: 'time' });
    changes(story, '2025-06-05', changeToPlan(monthly('30'), { downgradeAllowed: true }));
    to(story, '2025-06-10', rule, monthly('90'));
    expect(made(story, 2)[0]).not.toMatch(/credit/);
    takesBack(story, '2025-06-15');
    expect(made(story).at(-1)).toMatch(/^2025-06-15 .*credit plan -100.00/);
  });

  it('a change without credit gives nothing back in another currency either, while the end is still known', () => {
    const care = (amount: string, year: string, currency: 'usd' | 'eur' = 'usd') =>
      planOffer(`c${amount}${currency}`, { price: amount, currency, features: { care: ['year', price(year)] } });
    const story = signs('2025-06-01', care('30', '365'));
    cancelsFor(story, '2025-06-02', '2025-08-01');
    to(story, '2025-06-05', 'time', care('60', '730'));
    followsRule(story, { credit: 'none' });
    changes(story, '2025-06-10', changeToPlan(care('60', '730', 'eur'), { activation: 'next_cycle' }));
    story.advance('2025-07-01');
    expect(made(story).filter((invoice) => invoice.includes('credit'))).toEqual([]);
  });

  it.each<[Proration, string, string[]]>([
    ['none', '120', []],
    ['difference', '90', []],
  ])('a line that has ended, by %s: none of its time is charged twice', (proration, amount, expected) => {
    const story = from30To60();
    takesBack(story, '2025-06-15');
    to(story, '2025-06-23', 'time', monthly('90'));
    to(story, '2025-06-24', proration, monthly(amount, { features: { sso: price('0') } }));
    cancelsFor(story, '2025-06-25', '2025-06-28');
    expect(made(story).slice(2)).toEqual(expected);
  });

  it('a line that has ended, where the end was put off before', () => {
    const story = from30To60();
    cancelsFor(story, '2025-06-15', '2025-06-28');
    to(story, '2025-06-23', 'time', monthly('90'));
    to(story, '2025-06-24', 'difference', monthly('60'));
    takesBack(story, '2025-06-25');
    // seven days of 60.00, five days of 90.00 in its place, and three more of it
    expect(made(story)).toEqual([
      '2025-06-15 7.00: credit plan -7.00, plan 14.00',
      '2025-06-23 5.00: credit plan -10.00, plan 15.00',
      '2025-06-25 6.00: credit plan -3.00, plan 9.00',
    ]);
  });

  it('a line that a change by time gave back, though the new plan has nothing in its place', () => {
    const wide = monthly('30', { features: { extra: price('60') } });
    const story = signs('2025-06-01', wide);
    to(story, '2025-06-02', 'none', monthly('40', { features: { extra: price('70') } }));
    cancelsFor(story, '2025-06-03', '2025-06-21');
    to(story, '2025-06-11', 'time', monthly('300'));
    takesBack(story, '2025-06-15');
    expect(made(story, 1)).toEqual([
      '2025-06-11 70.00: credit plan -10.00, credit feature:extra -20.00, plan 100.00',
      '2025-06-15 70.00: credit plan -10.00, credit feature:extra -20.00, plan 100.00',
    ]);
  });
});

test('a year changed into months and back at one instant, for the next invoice: the year that began there is another one', () => {
  const year = planOffer('year', { price: '365', cycle: 'year' });
  const story = signs('2025-06-01', year);
  followsRule(story, { collect: 'next_invoice' });
  cancelsFor(story, '2025-06-02', '2025-07-05');
  changes(story, '2025-06-11', changeToPlan(monthly('300')));
  changes(story, '2025-06-11', changeToPlan(year, { downgradeAllowed: true }));
  takesBack(story, '2025-06-15');
  story.advance('2026-07-01');
  // the first one lasts to 1 June 2026, the other one ten days longer
  expect(made(story, 1)).toEqual([
    '2025-06-15 10.00: credit plan -24.00, plan 24.00, credit plan -331.00, plan 341.00',
    '2026-06-11 365.00: plan 365.00',
  ]);
});

test('a price of the same number for another cycle is another price: what was charged on of the month comes back', () => {
  const ten = (slug: string, cycle: 'month' | 'week') => planOffer(slug, { price: '10', cycle });
  const story = signs('2025-06-01', planOffer('p', { price: '30' }));
  cancelsFor(story, '2025-06-02', '2025-06-21');
  changes(story, '2025-06-05', changeToPlan(ten('m', 'month'), { downgradeAllowed: true }));
  cancelsFor(story, '2025-06-06', '2025-06-25');
  cancelsFor(story, '2025-06-07', '2025-06-21');
  changes(story, '2025-06-14', changeToPlan(ten('w', 'week'), { downgradeAllowed: true }));
  takesBack(story, '2025-06-15');
  // 6 days of 30.00 a month, and 4 of 10.00: those to 25 June had come to 6.67, and those to 21 June to 5.33
  expect(made(story, 4)).toEqual(['2025-06-15 0.00: credit plan -6.00, credit plan -1.34, wallet 7.34']);
});

test('the estimate of a cancellation that puts the end off shows what it charges', () => {
  const story = from30To60();
  to(story, '2025-06-10', 'difference', monthly('90'));
  const request = { when: { type: 'date' as const, date: at('2025-06-25') }, credit: false, notes: null };
  const ahead = estimateCancel(snapshotOf(story.ledger, story.id(), at('2025-06-12')), request, at('2025-06-12'), story.newId);
  let step = ahead.next();
  while (!step.done) step = ahead.next();
  expect(step.value.invoices.map(({ invoice }) => invoice.total)).toEqual(['4.00']);
  cancelsFor(story, '2025-06-12', '2025-06-25');
  expect(made(story).slice(1)).toEqual(['2025-06-12 4.00: credit plan -4.00, plan 8.00']);
});
