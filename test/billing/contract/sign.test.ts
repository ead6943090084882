import { at } from '../../../billing/calendar/instant.ts';
import { choosePricing } from '../../../billing/contract/offer.ts';
import { configurationOf, DEFAULT_CONFIGURATION } from '../../../billing/contract/sign.ts';
import { keptUnits, sameTerms } from '../../../billing/contract/terms.ts';
import { BillingError } from '../../../billing/problem.ts';
import { plan, price, seats, usage } from '../../support-billing/catalogue.ts';
import { invoicesOf, signs } from '../../support-billing/story.ts';

const team = plan('team', { price: '10', features: { seats: seats('5', '2', { minimum: '2', maximum: '20' }), calls: usage('1') } });

function problems(sign: () => unknown): string[] {
  try {
    sign();
  } catch (error) {
    if (error instanceof BillingError) return error.problems.map(({ field, code }) => `${field} ${code}`);
    throw error;
  }
  return [];
}

test('settings fall back contract → customer → vendor', () => {
  const configuration = configurationOf({
    configuration: { invoiceTrigger: 'manual', dueDatePolicy: null },
    customerConfiguration: { dueDatePolicy: 'end_of_period', invoiceTrigger: 'immediate' },
    vendorConfiguration: DEFAULT_CONFIGURATION,
  });
  expect(configuration).toEqual({
    automaticPayment: true,
    dueDatePolicy: 'end_of_period',
    invoiceTrigger: 'manual',
    usagePeriodClosingPolicy: 'automatic',
  });
});

test('overrides: 7 seats at 4 and a fee of 1.50: 29.50 beside 10.00; the catalogue is not touched', () => {
  const overrides = { seats: { units: '7', price: '4', flatFee: '1.50', field: 'feature_configuration.seats' } };
  const story = signs('2025-01-01', team, { overrides });
  expect(invoicesOf(story)).toEqual(['2025-01-01 39.50: plan 10.00, feature:seats 29.50']);
  expect(team.pricing.features.seats?.amount).toBe('5');
});

test('every problem is named by its wire field', () => {
  const field = (name: string) => `unit_count_configuration.${name}`;
  expect(problems(() => signs('2025-01-01', team, { overrides: { seats: { units: '21', field: field('seats') } } }))).toEqual([
    `${field('seats')} above_maximum`,
  ]);
  expect(
    problems(() =>
      signs('2025-01-01', team, {
        overrides: { calls: { units: '1', field: field('calls') }, none: { units: '1', field: field('none') } },
      }),
    ),
  ).toEqual([`${field('calls')} units_not_changeable`, `${field('none')} unknown_feature`]);
  expect(problems(() => signs('2025-01-01', team, { offset: 31, expiration: '2024-12-31', trialDays: -1 }))).toEqual([
    'cycle_start_offset offset_out_of_range',
    'free_trial_days invalid_count',
    'expiration expires_before_activation',
  ]);
  const flat = { originalDiscountId: null, slug: 's', name: 's', type: 'flat', amount: '1', currency: 'eur', duration: 1 } as const;
  expect(problems(() => signs('2025-01-01', team, { discount: flat }))).toEqual(['discount_id discount_currency']);
});

test('trial days and free cycles come from the plan unless the contract says otherwise', () => {
  const offer = plan('t', { price: '9', trialDays: 10, freeCycles: 1 });
  expect(signs('2025-01-01', offer).contract()).toMatchObject({ trialEnd: at('2025-01-11'), freeCycles: 1 });
  expect(signs('2025-01-01', offer, { trialDays: 0, freeCycles: 0 }).contract()).toMatchObject({
    trialEnd: null,
    freeCycles: 0,
    currentIdx: 1,
  });
});

test('a later edit of the catalogue never reaches the contract’s copy', () => {
  const offer = plan('p', { price: '100' });
  const story = signs('2025-01-01', structuredClone(offer));
  if (offer.pricing.price) offer.pricing.price.amount = '999';
  story.advance('2025-02-01');
  expect(story.ledger.invoices.map(({ total }) => total)).toEqual(['100.00', '100.00']);
});

test('bought units of equal slugs go on within the new limits', () => {
  const { terms } = signs('2025-01-01', team, { overrides: { seats: { units: '7', field: 'x' } } }).contract();
  const offer = (maximum: string) => plan('other', { price: '1', features: { seats: seats('9', '1', { maximum }) } });
  expect(keptUnits(terms, offer('10'))).toEqual({ seats: { units: '7', field: 'seats' } });
  expect(keptUnits(terms, offer('6'))).toEqual({});
  expect(sameTerms(terms, { ...terms, id: 'Plan_other', features: terms.features.map((one) => ({ ...one, id: 'x' })) })).toBe(true);
  expect(sameTerms(terms, { ...terms, price: price('11') })).toBe(false);
});

test('the pricing of a change: the contract’s own currency and cycle, or what is asked for', () => {
  const of = (currency: 'usd' | 'eur', cycle: 'month' | 'year') => plan('p', { price: '1', currency, cycle }).pricing;
  const all = [of('usd', 'month'), of('usd', 'year'), of('eur', 'month')];
  const usual = { currency: 'usd', cycle: 'month' } as const;
  const wish = { pricingId: null, currency: null, cycle: null, usual };
  expect(choosePricing(all, wish)).toBe(all[0]);
  expect(choosePricing(all, { ...wish, cycle: 'year' })).toBe(all[1]);
  expect(choosePricing(all, { ...wish, currency: 'eur' })).toBe(all[2]);
  expect(choosePricing(all, { ...wish, pricingId: all[2]?.id ?? '' })).toBe(all[2]);
  expect(() => choosePricing(all, { ...wish, currency: 'gbp' })).toThrow(expect.objectContaining({ code: 'pricing_not_found' }));
});
