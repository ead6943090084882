import { at } from '../../../billing/calendar/instant.ts';
import { amountOf, costEstimates, timesOf, totalChargeEstimate, usageOf } from '../../../billing/contract/views.ts';
import { plan, price, seats, usage } from '../../support-billing/catalogue.ts';
import { lifeOf, NO_TAX } from '../../support-billing/ledger.ts';
import { signs } from '../../support-billing/story.ts';

const api = plan('api', {
  price: '50',
  features: {
    seats: seats('10', '3', { flatFee: '2' }),
    calls: usage('0.0295', { batch: 100, minimum: '200', flatFee: '1' }),
    report: ['on_demand', price('5')],
  },
});

test('times in a trial: no current period, the next cycle at the trial’s end; then the period and its index', () => {
  const story = signs('2025-01-10', plan('t', { price: '1', trialDays: 10 }));
  expect(timesOf(story.contract(), [])).toEqual({
    activation: at('2025-01-10'),
    expiration: null,
    freeTrialEnd: at('2025-01-20'),
    nextCycleStart: at('2025-01-20'),
    currentPeriod: null,
    currentPeriodIdx: null,
    cycleStartOffset: 19,
  });
  story.advance('2025-02-20');
  expect(timesOf(story.contract(), [])).toMatchObject({
    nextCycleStart: at('2025-03-20'),
    currentPeriod: { start: at('2025-02-20'), end: at('2025-03-20') },
    currentPeriodIdx: 2,
  });
});

test('cost estimates: 82.00 at the start, minimum usage 6.90, amount 88.90; at the end of the period under end_of_period', () => {
  const contract = signs('2025-01-01', api).contract();
  expect(costEstimates(contract).recurringPrice).toEqual({
    cycleStartCharges: '82.00',
    minimumUsage: '6.90',
    extraCycleEndCharges: '0.00',
  });
  expect(costEstimates(contract).onDemandPrice.cycleStartCharges).toBe('5.00');
  expect(amountOf(contract)).toBe('88.90');
  const late = { ...contract, configuration: { ...contract.configuration, dueDatePolicy: 'end_of_period' as const } };
  expect(costEstimates(late).recurringPrice).toEqual({ cycleStartCharges: '0.00', minimumUsage: '6.90', extraCycleEndCharges: '82.00' });
});

test('usage of the open period: 350 calls in packs of 100 are 400 charged, 12.80 with the fee', () => {
  const story = signs('2025-01-01', api);
  story.uses('2025-01-10', 'calls', '350');
  const life = lifeOf(story.ledger, story.id(), at('2025-01-11'));
  const [period] = life.periods;
  if (!period) throw new Error('no period');
  expect(usageOf(life.contract, period, life.usage, NO_TAX, [])).toEqual([
    {
      slug: 'calls',
      name: 'calls',
      unitName: 'call',
      unitsUsed: '350',
      unitsCharged: '400',
      overUsageUnitCharged: '0',
      amount: '12.80',
      events: 1,
    },
  ]);
});

test('one full charge of a price: 100.00, less 10 % 90.00', () => {
  const discount = {
    originalDiscountId: null,
    slug: 'ten',
    name: 'Ten',
    type: 'percentage',
    amount: '10',
    currency: null,
    duration: 2,
  } as const;
  const contract = signs('2025-01-01', plan('p', { price: '100' }), { discount }).contract();
  expect(totalChargeEstimate(contract, price('100'), NO_TAX, true)).toEqual({ subtotal: '100.00', total: '90.00' });
});
