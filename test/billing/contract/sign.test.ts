import { at } from '../../../billing/calendar/instant.ts';
import { choosePricing } from '../../../billing/contract/terms/offer.ts';
import { configurationOf, DEFAULT_CONFIGURATION, type PartialConfiguration, planSigning } from '../../../billing/contract/terms/sign.ts';
import { sameTerms, unitsTakenOver } from '../../../billing/contract/terms/terms.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { BillingError } from '../../../billing/problem.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { countingIds } from '../../support-billing/ledger.ts';
import { invoicesOf, type SignWords, signRequestOf, signs } from '../../support-billing/story.ts';

const team = planOffer('team', {
  price: '10',
  features: { seats: seats('5', '2', { minimum: '2', maximum: '20' }), calls: usagePrice('1') },
});

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
    netDays: 0,
    invoiceTrigger: 'manual',
    usagePeriodClosingPolicy: 'automatic',
    onTrialEnd: 'continue',
    invoiceThreshold: null,
    invoiceThresholdFrom: null,
    onDunningEnd: 'continue',
  });
});

test('signed without an end it has none, and nothing was given back', () => {
  const { contract } = planSigning(signRequestOf(team), at('2025-01-01'), { newId: countingIds() });
  expect([contract.expiration, contract.givenBack]).toEqual([null, []]);
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

const percent = { originalDiscountId: null, slug: 's', name: 's', type: 'percentage', amount: '10', currency: null, duration: 1 } as const;
const DAYS = 'free_trial_days: give whole days from 0 to 36500';
const CYCLES = 'free_cycles: give a whole number of cycles from 0';

test.each<[string, SignWords, string[]]>([
  ['36500 trial days, 0 free cycles', { trialDays: 36_500, freeCycles: 0 }, []],
  ['36501 trial days', { trialDays: 36_501 }, [DAYS]],
  ['0.5 trial days', { trialDays: 0.5 }, [DAYS]],
  ['-1 trial days', { trialDays: -1 }, [DAYS]],
  ['-1 free cycles', { freeCycles: -1 }, [CYCLES]],
  ['1.5 free cycles', { freeCycles: 1.5 }, [CYCLES]],
  ['an expiration a millisecond after the activation', { activation: '2025-02-01', expiration: '2025-02-01T00:00:00.001Z' }, []],
  [
    'an expiration at the activation',
    { activation: '2025-02-01', expiration: '2025-02-01' },
    ['expiration: give an instant after the activation'],
  ],
  ['an expiration now, activation left out', { expiration: '2025-01-01' }, ['expiration: give an instant after the activation']],
  [
    'an activation of a pending contract',
    { isPending: true, activation: '2025-02-01' },
    ['activation: leave it out of a pending contract: give it when you activate it'],
  ],
  ['an activation of one that is not pending', { activation: '2025-02-01' }, []],
  [
    '10 eur off a plan in usd',
    { discount: { ...percent, type: 'flat', currency: 'eur' } },
    ['discount_id: give a discount in usd, or a percentage'],
  ],
  ['10 usd off a plan in usd', { discount: { ...percent, type: 'flat', currency: 'usd' } }, []],
  ['10 % off with a currency', { discount: { ...percent, currency: 'eur' } }, []],
  ['a discount of no cycle', { discount: { ...percent, duration: 0 } }, ['discount_id: give a discount of at least one cycle']],
  ['a day offset of 30 a month', { offset: 30 }, []],
])('signing with %s is answered by %j', (_, words, expected) => {
  const texts = (): string[] => {
    try {
      signs('2025-01-01', team, words);
    } catch (error) {
      if (error instanceof BillingError) return error.problems.map(({ field, message }) => `${field}: ${message}`);
      throw error;
    }
    return [];
  };
  expect(texts()).toEqual(expected);
});

test('a once contract has no cycles: a discount of none is taken', () => {
  const offer = planOffer('once', { price: '100', cycle: 'once' });
  expect(problems(() => signs('2025-01-01', offer, { discount: { ...percent, duration: 0 } }))).toEqual([]);
});

test('codes of what is wrong at signing', () => {
  const flat = { ...percent, type: 'flat', currency: 'eur', duration: 0 } as const;
  expect(
    problems(() =>
      signs('2025-01-01', team, { isPending: true, activation: '2025-02-01', expiration: '2025-01-01', freeCycles: -1, discount: flat }),
    ),
  ).toEqual([
    'free_cycles invalid_count',
    'activation activation_of_pending',
    'expiration expires_before_activation',
    'discount_id discount_currency',
    'discount_id invalid_count',
  ]);
});

test('a signed contract is not ready, follows none and waits for its activation', () => {
  const newId = countingIds();
  const { contract, agenda } = planSigning(signRequestOf(team, { expiration: '2026-01-01', offset: 3, trialDays: 5 }), at('2025-01-01'), {
    newId,
  });
  expect(contract).toMatchObject({
    id: 'Cont_1',
    rootId: 'Cont_1',
    predecessorId: null,
    successorId: null,
    isSuccessor: false,
    status: 'not_ready',
    discount: null,
    created: at('2025-01-01'),
    activation: at('2025-01-01'),
    trialDays: 5,
    trialEnd: at('2025-01-06'),
    expiration: { at: at('2026-01-01'), setAt: at('2025-01-01') },
    start: null,
    offset: 3,
    firstCycle: 0,
    cyclesBefore: 0,
    began: null,
    ended: null,
    currentIdx: null,
    customCharged: { month: -1, quarter: -1, year: -1 },
    pendingChange: null,
    cancellation: null,
    parkedReason: null,
  });
  expect(agenda.map(({ kind, dueAt }) => [kind, dueAt])).toEqual([
    ['activation', at('2025-01-01')],
    ['expiration', at('2026-01-01')],
  ]);
});

test('a given discount has an id of its own and counts from cycle 1', () => {
  expect(signs('2025-01-01', team, { discount: percent }).contract().discount).toEqual({
    ...percent,
    id: expect.stringMatching(/^Disc_/),
    cyclesBefore: 0,
  });
});

test.each<[string, PartialConfiguration, PartialConfiguration, unknown]>([
  ['the contract’s own', { automaticPayment: false, usagePeriodClosingPolicy: '1 day' }, { automaticPayment: true }, [false, '1 day']],
  ['the customer’s', {}, { automaticPayment: false, usagePeriodClosingPolicy: '1 hour' }, [false, '1 hour']],
  ['the vendor’s', {}, {}, [true, 'automatic']],
])('payment and closing of usage: %s', (_, configuration, customerConfiguration, expected) => {
  const found = configurationOf({ configuration, customerConfiguration, vendorConfiguration: DEFAULT_CONFIGURATION });
  expect([found.automaticPayment, found.usagePeriodClosingPolicy]).toEqual(expected);
});

test.each<[string, PartialConfiguration, PartialConfiguration, number]>([
  ['the contract’s own', { netDays: 5 }, { netDays: 20 }, 5],
  ['the contract’s own, though it is 0', { netDays: 0 }, { netDays: 20 }, 0],
  ['the customer’s', { netDays: null }, { netDays: 20 }, 20],
  ['the vendor’s', {}, {}, 60],
])('net days: %s', (_, configuration, customerConfiguration, days) => {
  const vendorConfiguration = { ...DEFAULT_CONFIGURATION, netDays: 60 };
  expect(configurationOf({ configuration, customerConfiguration, vendorConfiguration }).netDays).toBe(days);
});

test.each<[string, Currency, string, string]>([
  ['rounded up to whole yen', 'jpy', '50.25', '51'],
  ['never down to nothing', 'jpy', '0.4', '1'],
  ['without digits that a yen has not', 'jpy', '50.00', '50'],
  ['rounded up to cents', 'usd', '50.251', '50.26'],
  ['as it was given where the currency has the digits', 'kwd', '50.25', '50.25'],
])('an invoice threshold of customer or vendor is copied %s: in %s, %s is %s', (_, currency, given, copied) => {
  const offer = planOffer('calls', { currency, features: { calls: usagePrice('1') } });
  const sign = (words: SignWords) => signs('2025-01-01', offer, words).contract().configuration.invoiceThreshold;
  expect(sign({ customerConfiguration: { invoiceThreshold: given } })).toBe(copied);
  expect(sign({ vendorConfiguration: { ...DEFAULT_CONFIGURATION, invoiceThreshold: given } })).toBe(copied);
});

test('an invoice threshold of 50.25 on the contract itself is refused in yen, and rounded up by a later change to yen', () => {
  const configuration = { invoiceThreshold: '50.25' };
  const inYen = planOffer('calls', { currency: 'jpy', features: { calls: usagePrice('1') } });
  expect(problems(() => planSigning(signRequestOf(inYen, { configuration }), at('2025-01-01'), { newId: countingIds() }))).toEqual([
    'invoice_threshold too_many_digits',
  ]);
  const story = signs('2025-01-01', team, { configuration });
  changes(story, '2025-01-10', changeToPlan(inYen, { activation: 'next_cycle' }));
  story.advance('2025-02-01');
  expect(story.contract()).toMatchObject({ status: 'active', terms: { currency: 'jpy' }, configuration: { invoiceThreshold: '51' } });
});

test('a new vendor collects by itself, at the start of the period, invoices at once and closes usage by itself', () => {
  expect(DEFAULT_CONFIGURATION).toEqual({
    automaticPayment: true,
    dueDatePolicy: 'start_of_period',
    netDays: 0,
    invoiceTrigger: 'immediate',
    usagePeriodClosingPolicy: 'automatic',
    onTrialEnd: 'continue',
    invoiceThreshold: null,
    onDunningEnd: 'continue',
  });
});

test('trial days and free cycles come from the plan unless the contract says otherwise', () => {
  const offer = planOffer('t', { price: '9', trialDays: 10, freeCycles: 1 });
  expect(signs('2025-01-01', offer).contract()).toMatchObject({ trialEnd: at('2025-01-11'), freeCycles: 1 });
  expect(signs('2025-01-01', offer, { trialDays: 0, freeCycles: 0 }).contract()).toMatchObject({
    trialEnd: null,
    freeCycles: 0,
    currentIdx: 1,
  });
});

test('a later edit of the catalogue never reaches the contract’s copy', () => {
  const offer = planOffer('p', { price: '100' });
  const story = signs('2025-01-01', structuredClone(offer));
  if (offer.pricing.price) offer.pricing.price.amount = '999';
  story.advance('2025-02-01');
  expect(story.ledger.invoices.map(({ total }) => total)).toEqual(['100.00', '100.00']);
});

test('bought units of equal slugs go on within the new limits', () => {
  const { terms } = signs('2025-01-01', team, { overrides: { seats: { units: '7', field: 'x' } } }).contract();
  const offer = (maximum: string) => planOffer('other', { price: '1', features: { seats: seats('9', '1', { maximum }) } });
  expect(unitsTakenOver(terms, offer('10'))).toEqual({ seats: { units: '7', field: 'seats' } });
  expect(unitsTakenOver(terms, offer('6'))).toEqual({});
  expect(sameTerms(terms, { ...terms, id: 'Plan_other', features: terms.features.map((one) => ({ ...one, id: 'x' })) })).toBe(true);
  expect(sameTerms(terms, { ...terms, price: price('11') })).toBe(false);
});

test('the pricing of a change: the contract’s own currency and cycle, or what is asked for', () => {
  const of = (currency: 'usd' | 'eur', cycle: 'month' | 'year') => planOffer('p', { price: '1', currency, cycle }).pricing;
  const all = [of('usd', 'month'), of('usd', 'year'), of('eur', 'month')];
  const usual = { currency: 'usd', cycle: 'month' } as const;
  const request = { pricingId: null, currency: null, cycle: null, usual };
  expect(choosePricing(all, request)).toBe(all[0]);
  expect(choosePricing(all, { ...request, cycle: 'year' })).toBe(all[1]);
  expect(choosePricing(all, { ...request, currency: 'eur' })).toBe(all[2]);
  expect(choosePricing(all, { ...request, pricingId: all[2]?.id ?? '' })).toBe(all[2]);
  expect([...all].reverse().map((one) => choosePricing([...all].reverse(), request) === one)).toEqual([false, false, true]);
  expect(choosePricing([of('eur', 'month'), of('usd', 'month')], request).currency).toBe('usd');
  expect(() => choosePricing([of('usd', 'month'), of('eur', 'year')], { ...request, cycle: 'year' })).toThrow('no such pricing');
  expect(choosePricing(all, { ...request, usual: null, currency: 'eur' })).toBe(all[2]);
  expect(() => choosePricing(all, { ...request, usual: null, currency: 'usd' })).toThrow('no such pricing');
  expect(() => choosePricing(all, { ...request, currency: 'gbp' })).toThrow(expect.objectContaining({ code: 'pricing_not_found' }));
});
