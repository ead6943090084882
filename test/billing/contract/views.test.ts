import { at } from '../../../billing/calendar/instant.ts';
import type { Pause } from '../../../billing/calendar/pauses.ts';
import { usageOf } from '../../../billing/contract/charge/usage-view.ts';
import { amountOf, type ContractTimes, chargedUnitsOf, costEstimates, timesOf } from '../../../billing/contract/charge/views.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { type Story, signs } from '../../support-billing/story.ts';

const api = planOffer('api', {
  price: '50',
  features: {
    seats: seats('10', '3', { flatFee: '2' }),
    calls: usagePrice('0.0295', { batch: 100, minimum: '200', flatFee: '1' }),
    report: ['on_demand', price('5')],
  },
});

test('times in a trial: no current period, the next cycle at the trial’s end; then the period and its index', () => {
  const story = signs('2025-01-10', planOffer('t', { price: '1', trialDays: 10 }));
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

const DAY = (date: string) => at(`2025-${date}`);

test.each<[string, () => Partial<ContractTimes>, Partial<ContractTimes>]>([
  [
    'pending: no activation, the offset of the day it was signed',
    () => times(signs('2025-01-10', planOffer('p', { price: '1' }), { isPending: true })),
    { activation: null, expiration: null, freeTrialEnd: null, nextCycleStart: null, currentPeriod: null, cycleStartOffset: 9 },
  ],
  [
    'scheduled for 20 January: the offset of that day, no next cycle yet',
    () => times(signs('2025-01-10', planOffer('p', { price: '1' }), { activation: '2025-01-20', expiration: '2025-03-01' })),
    { activation: DAY('01-20'), expiration: DAY('03-01'), nextCycleStart: null, currentPeriodIdx: null, cycleStartOffset: 19 },
  ],
  [
    'scheduled for the 20th, frozen from the 18th to the 25th: it begins when the freeze ends',
    () =>
      times(signs('2025-01-10', planOffer('p', { price: '1' }), { activation: '2025-01-20' }), [{ from: DAY('01-18'), to: DAY('01-25') }]),
    { activation: DAY('01-25') },
  ],
  [
    'a trial to the 20th, frozen for two days: trial end and next cycle on the 22nd',
    () =>
      times(signs('2025-01-10', planOffer('p', { price: '1', trialDays: 10 }), { expiration: '2025-03-01' }), [
        { from: DAY('01-12'), to: DAY('01-14') },
      ]),
    { activation: DAY('01-10'), freeTrialEnd: DAY('01-22'), nextCycleStart: DAY('01-22'), expiration: DAY('03-03'), cycleStartOffset: 21 },
  ],
  [
    'a freeze that lasts moves nothing yet',
    () => times(signs('2025-01-10', planOffer('p', { price: '1' }), { expiration: '2025-03-01' }), [{ from: DAY('01-12'), to: null }]),
    { nextCycleStart: DAY('02-10'), expiration: DAY('03-01'), currentPeriod: { start: DAY('01-10'), end: DAY('02-10') } },
  ],
  [
    'an aligned contract shows its own offset',
    () => times(signs('2025-01-10', planOffer('p', { price: '1' }), { offset: 4 })),
    { cycleStartOffset: 4, currentPeriod: { start: DAY('01-10'), end: DAY('02-05') }, currentPeriodIdx: 1 },
  ],
])('times: %s', (_, found, expected) => {
  expect(found()).toMatchObject(expected);
});

function times(story: Story, pauses: Pause[] = []): ContractTimes {
  return timesOf(story.contract(), pauses);
}

test('times of an ended contract: its last period, no next cycle, its activation as it was', () => {
  const story = signs('2025-01-10', planOffer('p', { price: '1' }), { expiration: '2025-01-20' });
  story.advance('2025-02-01');
  expect(timesOf(story.contract(), [{ from: DAY('01-09'), to: DAY('01-12') }])).toMatchObject({
    activation: DAY('01-10'),
    nextCycleStart: null,
    currentPeriodIdx: 1,
  });
});

test('an active contract shows when it began, a freeze around that instant moves nothing any more', () => {
  const contract = signs('2025-01-10', planOffer('p', { price: '1' })).contract();
  expect(timesOf(contract, [{ from: DAY('01-09'), to: DAY('01-12') }]).activation).toBe(DAY('01-10'));
});

test('two usage features of one period: each with its own units', () => {
  const story = signs('2025-01-01', planOffer('p', { price: '1', features: { calls: usagePrice('1'), mails: usagePrice('0.10') } }));
  story.uses('2025-01-05', 'calls', '3');
  story.uses('2025-01-06', 'mails', '20');
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-01-11'));
  const [period] = snapshot.periods;
  if (!period) throw new Error('no period');
  expect(usageOf({ contract: snapshot.contract, period, usage: snapshot.usage }, [], []).map(({ slug, amount }) => [slug, amount])).toEqual(
    [
      ['calls', '3.00'],
      ['mails', '2.00'],
    ],
  );
});

test('a scheduled contract that was canceled shows the activation it was to have', () => {
  const story = signs('2025-01-10', planOffer('p', { price: '1' }), { activation: '2025-01-20' });
  const canceled = { ...story.contract(), status: 'canceled' as const };
  expect(timesOf(canceled, [{ from: DAY('01-18'), to: DAY('01-25') }]).activation).toBe(DAY('01-20'));
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
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-01-11'));
  const [period] = snapshot.periods;
  if (!period) throw new Error('no period');
  expect(usageOf({ contract: snapshot.contract, period, usage: snapshot.usage }, [], [])).toEqual([
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

test('usage of a trial is counted and never charged', () => {
  const story = signs('2025-01-01', { ...api, plan: { ...api.plan, freeTrialDays: 20 } });
  story.uses('2025-01-10', 'calls', '350');
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-01-11'));
  const [period] = snapshot.periods;
  if (!period) throw new Error('no period');
  expect(usageOf({ contract: snapshot.contract, period, usage: snapshot.usage }, [], [])).toMatchObject([
    { unitsUsed: '350', unitsCharged: '400', amount: '0.00', events: 1 },
  ]);
  expect(usageOf({ contract: snapshot.contract, period, usage: [] }, [], [])).toMatchObject([
    { unitsUsed: '0', unitsCharged: '200', events: 0 },
  ]);
});

test('usage of another period or contract is none of this one; half a period has half of minimum and fee', () => {
  const story = signs('2025-06-01', api);
  story.uses('2025-06-10', 'calls', '50');
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-06-11'));
  const [period] = snapshot.periods;
  if (!period) throw new Error('no period');
  const of = (more: Partial<typeof period>, id = story.id()) =>
    usageOf(
      { contract: snapshot.contract, period: { ...period, ...more }, usage: snapshot.usage.map((one) => ({ ...one, contractId: id })) },
      [],
      [],
    )[0];
  expect(of({})).toMatchObject({ unitsUsed: '50', unitsCharged: '200', amount: '6.90' });
  expect(of({}, 'Cont_other')).toMatchObject({ unitsUsed: '0', events: 0 });
  expect(of({ idx: 2 })).toMatchObject({ unitsUsed: '0', events: 0 });
  expect(of({ until: at('2025-06-16') })).toMatchObject({ unitsUsed: '50', unitsCharged: '100', amount: '3.45' });
});

test('usage above its maximum of 300: 100 are over-usage', () => {
  const limited = planOffer('l', { price: '1', features: { calls: usagePrice('1', { maximum: '300' }) } });
  const story = signs('2025-01-01', limited);
  story.uses('2025-01-10', 'calls', '400');
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-01-11'));
  const [period] = snapshot.periods;
  if (!period) throw new Error('no period');
  expect(usageOf({ contract: snapshot.contract, period, usage: snapshot.usage }, [], [])).toMatchObject([
    { unitsCharged: '300', overUsageUnitCharged: '100' },
  ]);
  const [calls] = snapshot.contract.terms.features;
  if (!calls?.price) throw new Error('no price');
  expect(chargedUnitsOf(snapshot.contract, calls.price, '400')).toEqual({ unitsCharged: '300', overUsageUnitCharged: '100' });
  expect(chargedUnitsOf(snapshot.contract, seats('10', '3'), '400')).toEqual({ unitsCharged: '3', overUsageUnitCharged: null });
});
