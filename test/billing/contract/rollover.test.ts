import { at } from '../../../billing/calendar/instant.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { countingIds, snapshotOf, write } from '../../support-billing/ledger.ts';
import { invoicesOf, periodsOf, signs, waitingOf } from '../../support-billing/story.ts';

const pro = planOffer('pro', { price: '100' });

test('100 a month signed on 31 January: 31 Jan, 28 Feb, 31 Mar, 30 Apr', () => {
  const story = signs('2025-01-31', pro);
  story.advance('2025-04-30');
  expect(invoicesOf(story)).toEqual([
    '2025-01-31 100.00: plan 100.00',
    '2025-02-28 100.00: plan 100.00',
    '2025-03-31 100.00: plan 100.00',
    '2025-04-30 100.00: plan 100.00',
  ]);
  expect(periodsOf(story)).toEqual([
    '1: 2025-01-31 – 2025-02-28 closed',
    '2: 2025-02-28 – 2025-03-31 closed',
    '3: 2025-03-31 – 2025-04-30 closed',
    '4: 2025-04-30 – 2025-05-31 open',
  ]);
});

test('a trial ending on 2 Mar 2012 aligned to day 31: stub 561.24, then 599.95 on 31 Mar, 30 Apr, 31 May, 30 Jun, 31 Jul', () => {
  const story = signs('2012-02-01', planOffer('assault', { price: '599.95', trialDays: 30 }), { offset: 30 });
  story.advance('2012-07-31');
  expect(invoicesOf(story)).toEqual([
    '2012-03-02 561.24: plan 561.24',
    '2012-03-31 599.95: plan 599.95',
    '2012-04-30 599.95: plan 599.95',
    '2012-05-31 599.95: plan 599.95',
    '2012-06-30 599.95: plan 599.95',
    '2012-07-31 599.95: plan 599.95',
  ]);
});

test('a trial of 90 days from 1 Jan 2024: first charge 31 Mar, then 30 Apr, 31 May, 30 Jun', () => {
  const story = signs('2024-01-01', planOffer('meteor', { price: '10', trialDays: 90 }));
  expect(story.contract()).toMatchObject({ status: 'active', currentIdx: null });
  story.advance('2024-06-30');
  expect(invoicesOf(story).map((one) => one.slice(0, 10))).toEqual(['2024-03-31', '2024-04-30', '2024-05-31', '2024-06-30']);
});

test('usage of the ended period and the next cycle share one invoice: 11.80 + 50.00', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '50', features: { calls: usagePrice('0.0295', { batch: 100 }) } }));
  story.uses('2025-01-10', 'calls', '300');
  story.uses('2025-01-20', 'calls', '50');
  story.uses('2025-02-01', 'calls', '199');
  story.advance('2025-03-01');
  expect(invoicesOf(story)).toEqual([
    '2025-01-01 50.00: plan 50.00',
    '2025-02-01 61.80: usage feature:calls 11.80, plan 50.00',
    '2025-03-01 55.90: usage feature:calls 5.90, plan 50.00',
  ]);
});

test('usage closed an hour after the period has an invoice of its own; two periods may wait at once with an hourly cycle and a day', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '50', features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: '1 hour' },
  });
  story.uses('2025-01-10', 'calls', '3');
  story.advance('2025-02-01');
  expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-02-01 closing', '2: 2025-02-01 – 2025-03-01 open']);
  story.advance('2025-02-01T01:00');
  expect(invoicesOf(story).slice(1)).toEqual(['2025-02-01 50.00: plan 50.00', '2025-02-01T01:00Z 3.00: usage feature:calls 3.00']);

  const hourly = signs('2025-01-01', planOffer('fast', { cycle: 'hour', price: '1', features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: '1 day' },
  });
  hourly.advance('2025-01-01T05:00');
  expect(periodsOf(hourly).filter((one) => one.endsWith('closing'))).toHaveLength(5);
});

test('first cycle once, month and quarter at their own rhythm from the anchor, whatever the weekly cycle', () => {
  const offer = planOffer('mixed', {
    cycle: 'week',
    price: '7',
    features: {
      setup: ['first_cycle', price('30')],
      hosting: ['month', price('20')],
      audit: ['quarter', price('90')],
      help: ['on_demand', price('5')],
    },
  });
  const story = signs('2025-01-31', offer);
  story.advance('2025-02-28');
  expect(invoicesOf(story)).toEqual([
    '2025-01-31 147.00: plan 7.00, one_off feature:setup 30.00, custom feature:hosting 20.00, custom feature:audit 90.00',
    '2025-02-07 7.00: plan 7.00',
    '2025-02-14 7.00: plan 7.00',
    '2025-02-21 7.00: plan 7.00',
    '2025-02-28 27.00: plan 7.00, custom feature:hosting 20.00',
  ]);
});

test('3 free cycles and 10 % off the first 4: 0, 0, 0, 90, 100; seats are charged with them, usage is not free', () => {
  const offer = planOffer('pro', { price: '60', features: { seats: seats('8', '5'), calls: usagePrice('1') } });
  const story = signs('2025-01-01', offer, {
    freeCycles: 3,
    discount: { originalDiscountId: null, slug: 'ten', name: 'Ten', type: 'percentage', amount: '10', currency: null, duration: 4 },
  });
  story.uses('2025-01-05', 'calls', '2');
  story.advance('2025-05-01');
  expect(story.ledger.invoices.map(({ total }) => total)).toEqual(['0.00', '2.00', '0.00', '90.00', '100.00']);
});

test('once and constant: the whole price once, no end', () => {
  for (const cycle of ['once', 'constant'] as const) {
    const story = signs('2025-01-01', planOffer('life', { price: '500', cycle }));
    story.advance('2035-01-01');
    expect(invoicesOf(story)).toEqual(['2025-01-01 500.00: plan 500.00']);
    expect(periodsOf(story)).toEqual(['1: 2025-01-01 – … open']);
  }
});

test('invoice trigger manual: lines wait, no invoice', () => {
  const story = signs('2025-01-01', pro, { configuration: { invoiceTrigger: 'manual' } });
  story.advance('2025-02-01');
  expect(invoicesOf(story)).toEqual([]);
  expect(waitingOf(story)).toEqual(['plan 100.00', 'plan 100.00']);
});

test('due at the end of the period: made on 1 Jan, due on 1 Feb; usage is due when made', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '50', features: { calls: usagePrice('1') } }), {
    configuration: { dueDatePolicy: 'end_of_period', usagePeriodClosingPolicy: '1 hour' },
  });
  story.uses('2025-01-10', 'calls', '1');
  story.advance('2025-02-01T01:00');
  expect(story.ledger.invoices.map(({ date, dueDate }) => [date, dueDate])).toEqual([
    [at('2025-01-01'), at('2025-02-01')],
    [at('2025-02-01'), at('2025-03-01')],
    [at('2025-02-01T01:00'), at('2025-02-01T01:00')],
  ]);
});

test('scheduled until its activation, expired without credit', () => {
  const story = signs('2025-01-01', pro, { activation: '2025-01-10', expiration: '2025-02-15' });
  expect(story.contract().status).toBe('scheduled');
  story.advance('2025-01-10');
  expect(story.contract().status).toBe('active');
  story.advance('2025-12-31');
  expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-02-15') });
  expect(invoicesOf(story)).toEqual(['2025-01-10 100.00: plan 100.00', '2025-02-10 100.00: plan 100.00']);
  expect(story.ledger.events.map(({ type }) => type)).toEqual([
    'v1.contract.signature.scheduled',
    'v1.contract.signature.completed',
    'v1.contract.renewed',
    'v1.contract.cancellation.completed',
  ]);
});

test('a contract a year late is brought up in one run, one invoice an instant, the same as step by step; again changes nothing', () => {
  const offer = planOffer('late', { price: '10', features: { calls: usagePrice('1'), audit: ['quarter', price('9')] } });
  const steps = signs('2025-01-31', offer);
  steps.advance('2026-01-31');
  const late = signs('2025-01-31', offer);
  const newId = countingIds();
  const upTo = at('2026-01-31');
  write(late.ledger, advance(snapshotOf(late.ledger, late.id(), upTo), upTo, newId));
  expect(invoicesOf(late)).toEqual(invoicesOf(steps));
  expect(periodsOf(late)).toEqual(periodsOf(steps));
  const again = advance(snapshotOf(late.ledger, late.id(), upTo), upTo, newId);
  expect(again.effects).toMatchObject({ contracts: [], periods: [], lines: [], invoices: [], events: [] });
});

test('ten years by the year from 29 February: 28 February in common years, 29 in leap years', () => {
  const story = signs('2024-02-29', planOffer('y', { price: '10', cycle: 'year' }));
  story.advance('2034-02-28');
  const days = story.ledger.invoices.map(({ date }) => new Date(date).toISOString().slice(0, 10));
  expect(days).toHaveLength(11);
  expect(days.filter((one) => one.endsWith('02-29'))).toEqual(['2024-02-29', '2028-02-29', '2032-02-29']);
});

test('four years from the end of a month: every month’s own last day', () => {
  const story = signs('2024-01-31', planOffer('m', { price: '10' }));
  story.advance('2028-01-31');
  const ends = story.ledger.invoices.map(({ date }) => new Date(date + 86_400_000).getUTCDate());
  expect(ends).toHaveLength(49);
  expect(new Set(ends)).toEqual(new Set([1]));
});

test('a week by the hour: 169 invoices, each an hour after the other', () => {
  const story = signs('2025-03-28', planOffer('h', { price: '0.10', cycle: 'hour' }));
  story.advance('2025-04-04');
  expect(story.ledger.invoices).toHaveLength(169);
});
