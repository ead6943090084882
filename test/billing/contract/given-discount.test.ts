import type { ChangeRule, Proration } from '../../../billing/contract/terms/change-rules.ts';
import { planOffer, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { monthly } from '../../support-billing/known-ends.ts';
import { invoicesOf, signs } from '../../support-billing/story.ts';

// Discounts beside the rules of a change. Half of the price of one month, given with 30 → 60 a month: it takes off half
// of one cycle's price.

const half = {
  originalDiscountId: null,
  slug: 'half',
  name: 'Half',
  type: 'percentage',
  amount: '50',
  currency: null,
  duration: 1,
} as const;
const rule = (proration: Proration): ChangeRule => ({ when: 'now', proration, collect: 'now', credit: 'wallet' });

it.each<[Proration, string, string[]]>([
  [
    'time',
    '2025-06-16',
    ['2025-06-16 0.00: credit plan -15.00, plan 15.00', '2025-07-01 60.00: plan 60.00', '2025-08-01 60.00: plan 60.00'],
  ],
  ['full', '2025-06-16', ['2025-06-16 30.00: plan 30.00', '2025-07-16 60.00: plan 60.00']],
  ['none', '2025-06-16', ['2025-07-01 30.00: plan 30.00', '2025-08-01 60.00: plan 60.00']],
  ['none', 'next_cycle', ['2025-07-01 30.00: plan 30.00', '2025-08-01 60.00: plan 60.00']],
])('%s, %s: %j', (proration, activation, expected) => {
  const story = signs('2025-06-01', monthly('30'), { changeRules: { upgrade: rule(proration) } });
  changes(story, '2025-06-16', changeToPlan(monthly('60'), { discount: half, activation }));
  story.advance('2025-08-01');
  expect(invoicesOf(story).slice(1)).toEqual(expected);
});

it('a seat more by a rule without credit leaves the plan’s line as it is, though a flat discount has a share in both', () => {
  const flat = { ...half, type: 'flat', amount: '6', currency: 'usd', duration: 9 } as const;
  const offer = planOffer('team', { price: '100', features: { seats: seats('10', '2') } });
  const changeRules = { units_up: { ...rule('time'), credit: 'none' } } as const;
  const story = signs('2025-06-01', offer, { changeRules, discount: flat });
  changes(story, '2025-06-16', toUnits({ seats: '3' }));
  // 30.00 less 1.38 of the 6.00, for half of the month
  expect(invoicesOf(story)).toEqual(['2025-06-01 114.00: plan 95.00, feature:seats 19.00', '2025-06-16 14.31: feature:seats 14.31']);
  story.advance('2025-07-01');
  expect(invoicesOf(story).at(-1)).toBe('2025-07-01 124.00: plan 95.38, feature:seats 28.62');
});

it('none, in a trial: the first cycle after it, 30.00', () => {
  const story = signs('2025-06-01', monthly('30', { trialDays: 30 }), { changeRules: { upgrade: rule('none') } });
  changes(story, '2025-06-16', changeToPlan(monthly('60'), { discount: half }));
  story.advance('2025-08-01');
  expect(invoicesOf(story)).toEqual(['2025-07-01 30.00: plan 30.00', '2025-08-01 60.00: plan 60.00']);
});
