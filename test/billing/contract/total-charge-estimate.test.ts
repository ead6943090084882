import { totalChargeEstimates } from '../../../billing/contract/charge/cycle-price.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import type { TaxContext } from '../../../billing/invoice/types.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

const offer = planOffer('team', {
  price: '150',
  features: { seats: seats('10', '5'), calls: usagePrice('1', { minimum: '7' }), setup: ['first_cycle', price('100')] },
});

const discountOf = (type: 'flat' | 'percentage', amount: string) =>
  ({ originalDiscountId: null, slug: 't', name: 'T', type, amount, currency: type === 'flat' ? 'usd' : null, duration: 2 }) as const;

const signed = (discount: ReturnType<typeof discountOf>): Contract => signs('2025-01-01', offer, { discount }).contract();

const totals = (contract: Contract, tax: TaxContext = NO_TAX): Record<string, string> =>
  Object.fromEntries([...totalChargeEstimates(contract, tax, [])].map(([source, { total }]) => [source, total]));

test('a percentage shows on what recurs alone: 135.00 of 150.00 and 45.00 of 50.00, all of a first_cycle price and of usage', () => {
  const contract = signed(discountOf('percentage', '10'));
  expect(totalChargeEstimates(contract, NO_TAX, []).get('plan')).toEqual({ subtotal: '150.00', total: '135.00' });
  expect(totals(contract)).toEqual({ plan: '135.00', 'feature:seats': '45.00', 'feature:calls': '7.00', 'feature:setup': '100.00' });
});

test('a flat discount of 20.00 is spread as on an invoice: 15.00 of the plan with 150.00, 5.00 of the seats with 50.00', () => {
  const contract = signed(discountOf('flat', '20'));
  expect(totals(contract)).toEqual({ plan: '135.00', 'feature:seats': '45.00', 'feature:calls': '7.00', 'feature:setup': '100.00' });
});

test('one that has ended shows no more, and one before the first cycle does', () => {
  const contract = signed(discountOf('percentage', '10'));
  expect(totals({ ...contract, currentIdx: 3 }).plan).toBe('150.00');
  expect(totals({ ...contract, currentIdx: null }).plan).toBe('135.00');
});

describe('a contract that waits for its change', () => {
  const half = (duration: number) => ({ ...discountOf('percentage', '50'), duration });
  const waiting = (story: Story): Contract | undefined => [...story.ledger.contracts.values()].find(({ isSuccessor }) => isSuccessor);
  const basic = planOffer('basic', { price: '40' });

  it('shows no discount that is used up when it begins: 40.00 as on its first invoice', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '100' }), { discount: half(2) });
    changes(story, '2025-02-10', changeToPlan(basic));
    expect(totals(waiting(story) as Contract)).toEqual({ plan: '40.00' });
    story.advance('2025-03-01');
    expect(invoicesOf(story).at(-1)).toBe('2025-03-01 40.00: plan 40.00');
  });

  it('shows what is left of one as time: 1 of 12 months at half price, 460.00 of 480.00', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '100' }), { discount: half(3) });
    changes(story, '2025-02-10', changeToPlan(planOffer('yearly', { price: '480', cycle: 'year' }), { activation: 'next_cycle' }));
    expect(totals(waiting(story) as Contract)).toEqual({ plan: '460.00' });
    story.advance('2025-03-01');
    expect(invoicesOf(story).at(-1)).toBe('2025-03-01 460.00: plan 460.00');
  });

  it('shows a discount that is given with it, whatever cycles have passed: 20.00', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '100' }));
    changes(story, '2025-03-16', changeToPlan(planOffer('max', { price: '300' })));
    changes(story, '2025-03-20', changeToPlan(basic, { discount: half(1) }));
    expect(totals(waiting(story) as Contract)).toEqual({ plan: '20.00' });
    story.advance('2025-04-01');
    expect(invoicesOf(story).at(-1)).toBe('2025-04-01 20.00: plan 20.00');
  });
});

test('tax of 10 % comes on top of what is left: 148.50 of 135.00', () => {
  const tax = { ...NO_TAX, policy: 'tax_excluded' as const, rates: [{ taxCode: null, country: null, state: null, rate: '0.1' }] };
  expect(totals(signed(discountOf('percentage', '10')), tax).plan).toBe('148.50');
});

test('a contract without prices has none', () => {
  expect(totalChargeEstimates(signs('2025-01-01', planOffer('free')).contract(), NO_TAX, []).size).toBe(0);
});
