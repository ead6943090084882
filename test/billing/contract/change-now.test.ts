import { at } from '../../../billing/calendar/instant.ts';
import { planChange } from '../../../billing/contract/change/change.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, estimates, toUnits } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { day, invoicesOf, periodsOf, type Story, signs, waitingOf } from '../../support-billing/story.ts';

const last = (story: Story): string | undefined => invoicesOf(story).at(-1);
const monthly = (amount: string, slug = `p${amount}`) => planOffer(slug, { price: amount });

test('100 → 300 at 16 June: −50.00, +150.00; pro rate 0.5, 360 h, total 100.00, period kept', () => {
  const story = signs('2025-06-01', monthly('100'));
  const { breakdown, isDowngrade, newContractPeriod, activation } = changes(story, '2025-06-16', changeToPlan(monthly('300')));
  expect(last(story)).toBe('2025-06-16 100.00: credit plan -50.00, plan 150.00');
  expect(isDowngrade).toBe(false);
  expect(day(activation)).toBe('2025-06-16');
  expect(newContractPeriod).toEqual({ start: at('2025-06-01'), end: at('2025-07-01') });
  const side = { proRate: '0.5', cycle: 'month', usage: '0.00' };
  expect(breakdown).toEqual({
    oldContract: {
      ...side,
      fullCost: '100.00',
      costProRated: '50.00',
      timeOnContract: { period: { start: at('2025-06-01'), end: at('2025-06-16') }, timeUsed: { unit: 'hour', unitCount: 360 } },
    },
    newContract: {
      ...side,
      fullCost: '300.00',
      costProRated: '150.00',
      timeOnContract: { period: { start: at('2025-06-16'), end: at('2025-07-01') }, timeUsed: { unit: 'hour', unitCount: 360 } },
    },
    proRateOldContract: '0.5',
    proRateNewContract: '0.5',
    newContractCostProRated: '150.00',
    usageOldContract: '0.00',
    timeOnOldContract: { unit: 'hour', value: 360 },
    timeOnNewContract: { unit: 'hour', value: 360 },
    total: '100.00',
  });
  story.advance('2025-07-01');
  expect(last(story)).toBe('2025-07-01 300.00: plan 300.00');
});

test('100 → 300 at 11 June: −66.67, +200.00', () => {
  const story = signs('2025-06-01', monthly('100'));
  changes(story, '2025-06-11', changeToPlan(monthly('300')));
  expect(last(story)).toBe('2025-06-11 133.33: credit plan -66.67, plan 200.00');
});

test('10 → 20 at exactly half: −5.00, +10.00', () => {
  const story = signs('2025-06-01', monthly('10'));
  changes(story, '2025-06-16', changeToPlan(monthly('20')));
  expect(last(story)).toBe('2025-06-16 5.00: credit plan -5.00, plan 10.00');
});

test('50 → 100 with 20 of 30 days left: −33.33, +66.67, net 33.34', () => {
  const story = signs('2025-06-01', monthly('50'));
  changes(story, '2025-06-11', changeToPlan(monthly('100')));
  expect(last(story)).toBe('2025-06-11 33.34: credit plan -33.33, plan 66.67');
});

test('49 → 99 with 16 of 31 days left: −25.29, +51.10, net 25.81', () => {
  const story = signs('2025-01-01', monthly('49'));
  changes(story, '2025-01-16', changeToPlan(monthly('99')));
  expect(last(story)).toBe('2025-01-16 25.81: credit plan -25.29, plan 51.10');
});

test('29 with feature 10 → 99 with feature 25, 16 of 31 days left: −14.97, −5.16, +51.10, +12.90 = 43.87', () => {
  const story = signs('2024-01-01', planOffer('leet', { price: '29', features: { slots: price('10') } }));
  changes(story, '2024-01-16', changeToPlan(planOffer('supreme', { price: '99', features: { slots: price('25') } })));
  expect(last(story)).toBe('2024-01-16 43.87: credit plan -14.97, credit feature:slots -5.16, plan 51.10, feature:slots 12.90');
});

test('599.95 in May 2012; 7 May down to 9.95, 8 May up to 29.95: wallet 475.81, then 15.49, June 29.95', () => {
  const story = signs('2012-05-01', monthly('599.95'));
  const down = changes(story, '2012-05-07', changeToPlan(monthly('9.95'), { downgradeAllowed: true }));
  expect(down).toMatchObject({ isDowngrade: true, breakdown: { total: '-475.81' } });
  expect(last(story)).toBe('2012-05-07 0.00: credit plan -483.83, plan 8.02, wallet 475.81');
  expect(story.ledger.wallet).toMatchObject([{ amount: '475.81', currency: 'usd' }]);
  changes(story, '2012-05-08', changeToPlan(monthly('29.95')));
  expect(last(story)).toBe('2012-05-08 15.49: credit plan -7.70, plan 23.19');
  story.advance('2012-06-01');
  expect(last(story)).toBe('2012-06-01 29.95: plan 29.95');
});

test('100 a month → 1000 a year at half of the month: cheaper per year, −50.00, +1000.00, a new year from the change', () => {
  const story = signs('2025-06-01', monthly('100'));
  const yearly = planOffer('yearly', { price: '1000', cycle: 'year' });
  const done = changes(story, '2025-06-16', changeToPlan(yearly, { downgradeAllowed: true }));
  expect(last(story)).toBe('2025-06-16 950.00: credit plan -50.00, plan 1000.00');
  expect(done.isDowngrade).toBe(true);
  expect(done.newContractPeriod).toEqual({ start: at('2025-06-16'), end: at('2026-06-16') });
  expect(done.breakdown).toMatchObject({
    proRateNewContract: '1',
    timeOnNewContract: { value: 8760 },
    newContract: { costProRated: '1000.00' },
  });
  story.advance('2026-06-16');
  expect(last(story)).toBe('2026-06-16 1000.00: plan 1000.00');
});

test('A → B → A at one instant nets to zero, a wholly unused line is undone to the cent', () => {
  const story = signs('2025-01-01', monthly('33.33'));
  changes(story, '2025-01-09T07:11:13.017', changeToPlan(monthly('99.99')));
  const there = story.ledger.invoices.at(-1)?.total;
  changes(story, '2025-01-09T07:11:13.017', changeToPlan(monthly('33.33'), { downgradeAllowed: true }));
  const back = story.ledger.wallet.at(-1)?.amount;
  expect(back).toBe(there);
});

test('month-end anchor and index: signed 31 Jan, changed 10 Feb, next boundaries 28 Feb and 31 Mar, index starts at 1', () => {
  const story = signs('2025-01-31', monthly('10'));
  changes(story, '2025-02-10', changeToPlan(monthly('20')));
  expect(story.contract()).toMatchObject({ currentIdx: 1, cyclesBefore: 0, firstCycle: 0, status: 'active' });
  story.advance('2025-03-31');
  expect(invoicesOf(story).slice(2)).toEqual(['2025-02-28 20.00: plan 20.00', '2025-03-31 20.00: plan 20.00']);
  expect(periodsOf(story)).toEqual([
    '1: 2025-01-31 – 2025-02-10 closed',
    '1: 2025-02-10 – 2025-02-28 closed',
    '2: 2025-02-28 – 2025-03-31 closed',
    '3: 2025-03-31 – 2025-04-30 open',
  ]);
});

test('usage at another price is split at the change: each event in exactly one contract; the flat fee by the elapsed half, batches over both', () => {
  const api = (amount: string, slug: string, maximum: string) =>
    planOffer(slug, { price: amount, features: { calls: usagePrice('1', { flatFee: '10', batch: 10, maximum }) } });
  const story = signs('2025-06-01', api('100', 'small', '500'));
  story.uses('2025-06-10', 'calls', '3');
  story.uses('2025-06-16', 'calls', '4');
  story.uses('2025-06-16T00:30', 'calls', '21');
  const done = changes(story, '2025-06-16', changeToPlan(api('300', 'big', '600')));
  expect(invoicesOf(story).slice(1)).toEqual([
    '2025-06-16 15.00: usage feature:calls 15.00',
    '2025-06-16 100.00: credit plan -50.00, plan 150.00',
  ]);
  expect(done.breakdown).toMatchObject({
    usageOldContract: '15.00',
    total: '115.00',
    oldContract: { usage: '15.00' },
    newContract: { usage: '0.00' },
  });
  story.advance('2025-07-02');
  expect(invoicesOf(story).slice(3)).toEqual(['2025-07-01 325.00: usage feature:calls 25.00, plan 300.00']);
});

test('one-off lines are never given back; another plan charges its first_cycle in full, the same plan none', () => {
  const story = signs('2025-06-01', planOffer('a', { price: '100', features: { setup: ['first_cycle', price('40')] } }));
  const b = planOffer('b', { price: '200', features: { setup: ['first_cycle', price('70')] } });
  changes(story, '2025-06-16', changeToPlan(b));
  expect(last(story)).toBe('2025-06-16 120.00: credit plan -50.00, plan 100.00, one_off feature:setup 70.00');
  changes(story, '2025-06-16', changeToPlan(planOffer('b', { price: '300', features: { setup: ['first_cycle', price('99')] } })));
  expect(last(story)).toBe('2025-06-16 50.00: credit plan -100.00, plan 150.00');
});

test('a yearly line is given back and charged over its own year, whatever the monthly cycle', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '31', features: { support: ['year', price('365')] } }));
  changes(story, '2025-01-11', changeToPlan(planOffer('b', { price: '62', features: { support: ['year', price('730')] } })));
  expect(last(story)).toBe(
    '2025-01-11 376.00: credit plan -21.00, credit feature:support -355.00, plan 42.00, custom feature:support 710.00',
  );
  story.advance('2026-01-01');
  expect(last(story)).toBe('2026-01-01 792.00: plan 62.00, custom feature:support 730.00');
});

test('a flat discount of 10 on 100 and 100: the credit is taken from what was charged; the new discount starts at its cycle 1', () => {
  const ten = { originalDiscountId: null, slug: 'ten', name: 'Ten', type: 'flat', amount: '10', currency: 'usd', duration: 2 } as const;
  const story = signs('2025-06-01', monthly('100'), { discount: ten });
  changes(story, '2025-06-16', changeToPlan(monthly('300')));
  expect(last(story)).toBe('2025-06-16 100.00: credit plan -45.00, plan 145.00');
  story.advance('2025-08-01');
  expect(invoicesOf(story).slice(2)).toEqual(['2025-07-01 290.00: plan 290.00', '2025-08-01 300.00: plan 300.00']);

  const replaced = signs('2025-06-01', monthly('100'), { discount: ten });
  replaced.advance('2025-07-01');
  changes(replaced, '2025-07-01', changeToPlan(monthly('300'), { discount: { ...ten, amount: '50' } }));
  replaced.advance('2025-09-01');
  expect(replaced.ledger.invoices.map(({ total }) => total)).toEqual(['90.00', '90.00', '160.00', '250.00', '300.00']);
});

test('seats 5 → 8 at half: credit and charge of that line only; the plan’s line, charged before, is given back by the next change; units kept within limits', () => {
  const team = (amount: string, slug: string, maximum?: string) =>
    planOffer(slug, { price: '10', features: { seats: seats(amount, '2', maximum ? { maximum } : {}) } });
  const overrides = { seats: { units: '5', field: 'unit_count_configuration.seats' } };
  const story = signs('2025-06-01', team('10', 'team'), { overrides });
  changes(story, '2025-06-16', toUnits({ seats: '8' }));
  expect(last(story)).toBe('2025-06-16 15.00: credit feature:seats -25.00, feature:seats 40.00');
  changes(story, '2025-06-16', changeToPlan(team('20', 'large')));
  expect(last(story)).toBe('2025-06-16 40.00: credit plan -5.00, credit feature:seats -40.00, plan 5.00, feature:seats 80.00');
  const limited = estimates(story, '2025-06-16', changeToPlan(team('900', 'limited', '6')));
  expect(limited.priceOnNew[0]?.lines.at(-1)).toMatchObject({ unitCount: '2', totalIncludingTax: '900.00' });
});

test('once and constant: the new price in full, no credit', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '500', cycle: 'once' }));
  changes(story, '2025-03-01', changeToPlan(planOffer('b', { price: '800', cycle: 'once' })));
  expect(last(story)).toBe('2025-03-01 800.00: plan 800.00');
  expect(() => estimates(story, '2025-03-01', changeToPlan(planOffer('c', { price: '1', cycle: 'once' })))).toThrow(
    expect.objectContaining({ code: 'cycle_end_unknown' }),
  );
});

test('in a trial a change keeps the trial’s end, costs nothing and takes effect at once in either direction', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '100', trialDays: 30, features: { setup: ['first_cycle', price('7')] } }));
  const done = changes(
    story,
    '2025-01-11',
    changeToPlan(planOffer('b', { price: '40', features: { setup: ['first_cycle', price('9')] } })),
  );
  expect(done).toMatchObject({ isDowngrade: true, activation: at('2025-01-11'), priceOnNew: [], breakdown: { total: '0.00' } });
  expect(done.newContractPeriod).toEqual({ start: at('2025-01-31'), end: at('2025-02-28') });
  story.advance('2025-02-28');
  expect(invoicesOf(story)).toEqual(['2025-01-31 49.00: plan 40.00, one_off feature:setup 9.00', '2025-02-28 40.00: plan 40.00']);
});

test('pending and scheduled contracts are replaced in their status, nothing is charged', () => {
  const story = signs('2025-01-01', monthly('100'), { activation: '2025-02-01' });
  const done = changes(story, '2025-01-10', changeToPlan(monthly('300')));
  expect(done).toMatchObject({ activation: at('2025-02-01'), priceOnNew: [], remainsToPay: [] });
  expect(story.contract()).toMatchObject({ status: 'scheduled', activation: at('2025-02-01') });
  story.advance('2025-02-01');
  expect(invoicesOf(story)).toEqual(['2025-02-01 300.00: plan 300.00']);

  const pending = signs('2025-01-01', monthly('100'), { isPending: true });
  changes(pending, '2025-01-10', changeToPlan(monthly('30')));
  expect(pending.contract()).toMatchObject({ status: 'pending', activation: null });
});

test('trigger manual: the upgrade leaves lines waiting, the estimate shows the invoice they would make', () => {
  const story = signs('2025-06-01', monthly('100'), { configuration: { invoiceTrigger: 'manual' } });
  const done = changes(story, '2025-06-16', changeToPlan(monthly('300')));
  expect(done.remainsToPay).toMatchObject([{ invoice: { total: '100.00', status: 'pending_validation' } }]);
  expect(done.priceOnNew).toMatchObject([{ invoice: { total: '100.00' } }]);
  expect(done.breakdown.total).toBe('200.00');
  expect(waitingOf(story)).toEqual(['plan 100.00', 'plan -50.00', 'plan 150.00']);
});

test('free cycles used up count along the chain: 2 free, changed in the second, the third is paid', () => {
  const story = signs('2025-01-01', monthly('100'), { freeCycles: 2 });
  changes(story, '2025-02-15', changeToPlan(monthly('300')));
  story.advance('2025-03-01');
  expect(story.ledger.invoices.map(({ total }) => total)).toEqual(['0.00', '0.00', '0.00', '300.00']);
});

test('refused: the same again, a date that has passed, another currency mid-cycle, a frozen customer, an ended contract', () => {
  const code = (request: () => unknown): string => {
    try {
      request();
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
    return 'none';
  };
  const story = signs('2025-01-01', monthly('100'));
  const estimate = (request: Parameters<typeof estimates>[2]) => code(() => estimates(story, '2025-01-10', request));
  expect(estimate(changeToPlan(monthly('100')))).toBe('nothing_to_change');
  expect(estimate(changeToPlan(monthly('300'), { activation: '2025-01-09' }))).toBe('past_date');
  expect(estimate(changeToPlan(planOffer('euro', { price: '100', currency: 'eur' })))).toBe('currency_change_mid_cycle');
  expect(estimate(changeToPlan(planOffer('euro', { price: '100', currency: 'eur' }), { activation: '2025-02-02' }))).toBe(
    'currency_change_mid_cycle',
  );
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-01-10'));
  const frozen = { ...snapshot, customer: { ...snapshot.customer, pauses: [{ from: at('2025-01-05'), to: null }] } };
  expect(code(() => planChange(frozen, changeToPlan(monthly('300')), at('2025-01-10'), story.newId))).toBe('customer_frozen');
  const ended = { ...snapshot, contract: { ...snapshot.contract, status: 'canceled' as const } };
  expect(code(() => planChange(ended, changeToPlan(monthly('300')), at('2025-01-10'), story.newId))).toBe('contract_ended');
});
