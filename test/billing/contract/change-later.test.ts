import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation, planChangeUndo } from '../../../billing/contract/change/cancel.ts';
import { planChange } from '../../../billing/contract/change/change.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, estimates, toUnits } from '../../support-billing/changes.ts';
import { contractOf, snapshotOf } from '../../support-billing/ledger.ts';
import { day, invoicesOf, periodsOf, type Story, signs } from '../../support-billing/story.ts';

const monthly = (amount: string, slug = `p${amount}`) => planOffer(slug, { price: amount });
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);

test('a downgrade waits for the end of the cycle: the full first period shown, nothing owed now, pro rate 1 and 0 hours', () => {
  const story = signs('2025-01-01', monthly('100'));
  const first = story.id();
  const done = changes(story, '2025-01-10', changeToPlan(monthly('40')));
  expect(done).toMatchObject({ isDowngrade: true, activation: at('2025-02-01'), remainsToPay: [] });
  expect(done.priceOnNew).toMatchObject([{ invoice: { total: '40.00', date: at('2025-02-01') }, lines: [{ totalIncludingTax: '40.00' }] }]);
  expect(done.breakdown).toMatchObject({
    total: '0.00',
    newContract: { proRate: '1', fullCost: '40.00', costProRated: '40.00' },
    oldContract: { proRate: '1', fullCost: '100.00' },
    timeOnNewContract: { value: 0 },
  });
  expect(done.newContractPeriod).toEqual({ start: at('2025-02-01'), end: at('2025-03-01') });
  expect(story.id()).toBe(first);
  expect(contractOf(story.ledger, done.newContractId)).toMatchObject({ status: 'scheduled', isSuccessor: true });
  expect(story.ledger.agenda.get(done.newContractId)).toEqual([]);
  story.advance('2025-03-01');
  expect(story.id()).toBe(done.newContractId);
  expect(since(story, 1)).toEqual(['2025-02-01 40.00: plan 40.00', '2025-03-01 40.00: plan 40.00']);
  expect(story.contract()).toMatchObject({ status: 'active', currentIdx: 2, cyclesBefore: 1 });
});

test('signed 31 Jan, downgrade takes effect on 28 Feb, the next boundary is 31 March', () => {
  const story = signs('2025-01-31', monthly('100'));
  changes(story, '2025-02-10', changeToPlan(monthly('40')));
  story.advance('2025-03-31');
  expect(since(story, 1)).toEqual(['2025-02-28 40.00: plan 40.00', '2025-03-31 40.00: plan 40.00']);
});

test('usage of the last period closes by its policy after a deferred change, and shares no invoice with the new contract', () => {
  const api = (amount: string) => planOffer(`a${amount}`, { price: amount, features: { calls: usagePrice('1') } });
  const story = signs('2025-01-01', api('100'), { configuration: { usagePeriodClosingPolicy: '1 hour' } });
  const old = story.id();
  changes(story, '2025-01-10', changeToPlan(api('40')));
  story.uses('2025-01-20', 'calls', '3');
  story.advance('2025-02-01');
  expect(story.ledger.agenda.get(old)).toMatchObject([{ kind: 'usage_closing', dueAt: at('2025-02-01T01:00') }]);
  story.advance('2025-02-01T01:00');
  expect(since(story, 1)).toEqual(['2025-02-01 40.00: plan 40.00', '2025-02-01T01:00Z 3.00: usage feature:calls 3.00']);
  expect(story.ledger.agenda.get(old)).toEqual([]);
});

test('a dated upgrade splits the period and its usage at its instant; a downgrade dated mid-cycle waits for that cycle’s end', () => {
  const api = (amount: string, call = '1') => planOffer(`a${amount}`, { price: amount, features: { calls: usagePrice(call) } });
  const story = signs('2025-06-01', api('100'));
  const done = changes(story, '2025-06-05', changeToPlan(api('300', '3'), { activation: '2025-06-16' }));
  expect(done.activation).toBe(at('2025-06-16'));
  expect(done.priceOnNew).toMatchObject([
    { invoice: { total: '100.00' }, lines: [{ totalIncludingTax: '-50.00' }, { totalIncludingTax: '150.00' }] },
  ]);
  story.uses('2025-06-16', 'calls', '2');
  story.uses('2025-06-16T00:10', 'calls', '5');
  story.advance('2025-07-01');
  expect(since(story, 1)).toEqual([
    '2025-06-16 2.00: usage feature:calls 2.00',
    '2025-06-16 100.00: credit plan -50.00, plan 150.00',
    '2025-07-01 315.00: usage feature:calls 15.00, plan 300.00',
  ]);
  const down = estimates(story, '2025-07-05', changeToPlan(api('10'), { activation: '2025-08-20' }));
  expect(day(down.activation)).toBe('2025-09-01');
  const forced = estimates(story, '2025-07-05', changeToPlan(api('10'), { activation: '2025-08-16T12:00', downgradeAllowed: true }));
  expect(forced.priceOnNew[0]?.lines.map(({ totalIncludingTax }) => totalIncludingTax)).toEqual(['-150.00', '5.00', '145.00']);
});

test('next_cycle decides the time of an upgrade; changing the cycle then begins a year at the boundary', () => {
  const story = signs('2025-01-31', monthly('100'));
  const done = changes(
    story,
    '2025-02-10',
    changeToPlan(planOffer('year', { price: '5000', cycle: 'year' }), { activation: 'next_cycle' }),
  );
  expect(done).toMatchObject({ isDowngrade: false, activation: at('2025-02-28') });
  story.advance('2026-02-28');
  expect(since(story, 1)).toEqual(['2025-02-28 5000.00: plan 5000.00', '2026-02-28 5000.00: plan 5000.00']);
});

test('another currency at the end of the cycle has no direction; a yearly line in the old currency is given back on the old contract', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '100', features: { support: ['year', price('365')] } }));
  const done = changes(story, '2025-01-10', changeToPlan(planOffer('e', { price: '10', currency: 'eur' }), { activation: 'next_cycle' }));
  expect(done.isDowngrade).toBe(false);
  expect(done.priceOnNew).toMatchObject([{ invoice: { total: '10.00', currency: 'eur' } }]);
  story.advance('2025-02-01');
  expect(since(story, 1)).toEqual(['2025-02-01 0.00: credit feature:support -334.00, wallet 334.00', '2025-02-01 10.00: plan 10.00']);
});

test('one pending change at a time: a new one replaces it, undo drops it', () => {
  const story = signs('2025-01-01', monthly('100'));
  const one = changes(story, '2025-01-05', changeToPlan(monthly('40')));
  const two = changes(story, '2025-01-06', changeToPlan(monthly('30')));
  expect(contractOf(story.ledger, one.newContractId)).toMatchObject({ status: 'canceled', isSuccessor: false });
  story.does('2025-01-07', planChangeUndo);
  expect(contractOf(story.ledger, two.newContractId).status).toBe('canceled');
  story.advance('2025-02-01');
  expect(since(story, 1)).toEqual(['2025-02-01 100.00: plan 100.00']);
  expect(() => story.does('2025-02-01', planChangeUndo)).toThrow(expect.objectContaining({ code: 'no_pending_change' }));
});

test('an immediate unit change keeps a pending plan change, which then applies to the new units', () => {
  const team = (amount: string, slug: string) =>
    planOffer(slug, { price: null, strategy: 'feature', features: { seats: seats(amount, '5') } });
  const story = signs('2025-06-01', team('10', 'team'));
  const later = changes(story, '2025-06-10', changeToPlan(team('4', 'small')));
  changes(story, '2025-06-16', toUnits({ seats: '8' }));
  expect(story.contract()).toMatchObject({ pendingChange: { successorId: later.newContractId } });
  story.advance('2025-07-01');
  expect(story.id()).toBe(later.newContractId);
  expect(since(story, 1)).toEqual([
    '2025-06-16 15.00: credit feature:seats -25.00, feature:seats 40.00',
    '2025-07-01 32.00: feature:seats 32.00',
  ]);
});

test('fewer units wait for the end of the cycle, unless downgrade_allowed', () => {
  const team = planOffer('team', { price: null, strategy: 'feature', features: { seats: seats('10', '5') } });
  const story = signs('2025-06-01', team);
  expect(changes(story, '2025-06-16', toUnits({ seats: '2' }))).toMatchObject({ isDowngrade: true, activation: at('2025-07-01') });
  changes(story, '2025-06-16', toUnits({ seats: '3' }, { downgradeAllowed: true }));
  expect(since(story, 1)).toEqual(['2025-06-16 0.00: credit feature:seats -25.00, feature:seats 15.00, wallet 10.00']);
  story.advance('2025-07-01');
  expect(since(story, 2)).toEqual(['2025-07-01 30.00: feature:seats 30.00']);
});

test('a cancellation at the end of the cycle goes on with the contract a change makes', () => {
  const story = signs('2025-06-01', monthly('100'));
  story.does('2025-06-05', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'end_of_cycle' }, credit: false, notes: null }, now, newId),
  );
  changes(story, '2025-06-16', changeToPlan(monthly('300')));
  story.advance('2025-08-01');
  expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-07-01') });
  expect(since(story, 1)).toEqual(['2025-06-16 100.00: credit plan -50.00, plan 150.00']);
});

test('at the end of a trial, 15 June on an aligned month: the estimate shows 16 of 30 days, as the line charges them', () => {
  const story = signs('2025-06-01', planOffer('a', { price: '100', trialDays: 14 }), { offset: 0 });
  const done = changes(story, '2025-06-05', changeToPlan(monthly('30'), { activation: 'next_cycle' }));
  expect(done.activation).toBe(at('2025-06-15'));
  expect(done.priceOnNew).toMatchObject([{ lines: [{ totalIncludingTax: '16.00' }] }]);
  expect(done.breakdown.newContract).toMatchObject({ fullCost: '30.00', proRate: '0.533333333333', costProRated: '16.00' });
  story.advance('2025-06-15');
  expect(invoicesOf(story)).toEqual(['2025-06-15 16.00: plan 16.00']);
});

test('in a trial next_cycle waits for the trial’s end and the first period is the new plan’s', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '100', trialDays: 10, features: { setup: ['first_cycle', price('5')] } }));
  const done = changes(
    story,
    '2025-01-05',
    changeToPlan(planOffer('b', { price: '70', features: { setup: ['first_cycle', price('6')] } }), { activation: 'next_cycle' }),
  );
  expect(done.priceOnNew).toMatchObject([{ invoice: { total: '76.00' } }]);
  story.advance('2025-02-11');
  expect(invoicesOf(story)).toEqual(['2025-01-11 76.00: plan 70.00, one_off feature:setup 6.00', '2025-02-11 70.00: plan 70.00']);
  expect(periodsOf(story)).toEqual([
    '0: 2025-01-01 – 2025-01-11 closed',
    '1: 2025-01-11 – 2025-02-11 closed',
    '2: 2025-02-11 – 2025-03-11 open',
  ]);
});

test('a unit change at a boundary leaves a yearly line where it was charged; one that falls due at that instant is charged once', () => {
  const team = planOffer('team', {
    price: '10',
    features: { seats: seats('1', '5'), support: ['year', price('365')], review: ['month', price('3')] },
  });
  const story = signs('2025-01-01', team);
  changes(story, '2025-01-10', toUnits({ seats: '2' }));
  story.advance('2025-02-01');
  expect(since(story, 1)).toEqual(['2025-02-01 15.00: plan 10.00, feature:seats 2.00, custom feature:review 3.00']);
  story.advance('2026-01-01');
  expect(since(story, 12)).toEqual([
    '2026-01-01 380.00: plan 10.00, feature:seats 2.00, custom feature:review 3.00, custom feature:support 365.00',
  ]);
  changes(story, '2026-01-01', changeToPlan(monthly('400')));
  expect(since(story, 13)).toEqual([
    '2026-01-01 20.00: credit plan -10.00, credit feature:seats -2.00, credit feature:review -3.00, credit feature:support -365.00, plan 400.00',
  ]);
});

test('the scheduled contract of a change takes no calls of its own', () => {
  const story = signs('2025-01-01', monthly('100'));
  const { newContractId } = changes(story, '2025-01-10', changeToPlan(monthly('40')));
  const snapshot = snapshotOf(story.ledger, newContractId, at('2025-01-11'));
  expect(() => planChange(snapshot, changeToPlan(monthly('300')), at('2025-01-11'), story.newId)).toThrow(
    expect.objectContaining({ code: 'contract_not_active' }),
  );
});
