import { at } from '../../../billing/calendar/instant.ts';
import { planFreeze, planUnfreeze } from '../../../billing/contract/advance/freeze.ts';
import { planResume } from '../../../billing/contract/advance/resume.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import { begunBy, periodIdxAt, runningIdx, usagePeriod } from '../../../billing/contract/period/periods.ts';
import type { Contract, UsagePeriodClosingPolicy } from '../../../billing/contract/types.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf, write } from '../../support-billing/ledger.ts';
import { invoicesOf, periodsOf, type Story, signs } from '../../support-billing/story.ts';

const api = (amount: string, flatFee?: string) =>
  planOffer(`api${amount}`, { price: amount, features: { calls: usagePrice('1', flatFee === undefined ? {} : { flatFee }) } });
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);

test.each<[UsagePeriodClosingPolicy, string | null, string | null]>([
  ['automatic', '2025-02-01', '2025-01-15'],
  ['15 minutes', '2025-02-01T00:15', '2025-01-15T00:15'],
  ['1 hour', '2025-02-01T01:00', '2025-01-15T01:00'],
  ['1 day', '2025-02-02', '2025-01-16'],
  ['manual', null, '2025-01-15'],
])('policy %s: January closes at %j, a trial to the 15th at %j', (usagePeriodClosingPolicy, month, trialEnd) => {
  const configuration = { usagePeriodClosingPolicy };
  const story = signs('2025-01-01', api('1'), { configuration });
  expect(usagePeriod(story.contract(), 1, at('2025-01-01'), [])).toEqual({
    contractId: story.id(),
    idx: 1,
    start: at('2025-01-01'),
    end: at('2025-02-01'),
    from: at('2025-01-01'),
    until: at('2025-02-01'),
    closesAt: month === null ? null : at(month),
    status: 'open',
    closedAt: null,
    follows: null,
    goesOn: [],
  });
  const trial = signs('2025-01-01', api('1'), { configuration, trialDays: 14 });
  expect(usagePeriod(trial.contract(), 0, at('2025-01-01'), [])).toMatchObject({
    start: at('2025-01-01'),
    end: at('2025-01-15'),
    closesAt: trialEnd === null ? null : at(trialEnd),
  });
  const plain = signs('2025-01-01', planOffer('p', { price: '1' }), { configuration });
  expect(usagePeriod(plain.contract(), 1, at('2025-01-01'), []).closesAt).toBe(at('2025-02-01'));
});

test('a period without an end has no time to close', () => {
  const once = signs('2025-01-01', { ...api('1'), pricing: { ...api('1').pricing, cycle: 'once' } });
  expect(usagePeriod(once.contract(), 1, at('2025-01-01'), [])).toMatchObject({ end: null, until: null, closesAt: null });
});

test('a trial that hasn’t begun is computed from its activation, one of a pending contract from its signing', () => {
  const scheduled = signs('2025-01-01', api('1'), { activation: '2025-01-10', trialDays: 5 }).contract();
  expect(usagePeriod(scheduled, 0, at('2025-01-10'), [])).toMatchObject({ start: at('2025-01-10'), end: at('2025-01-15') });
  const pending = signs('2025-01-03', api('1'), { isPending: true, trialDays: 5 }).contract();
  expect(usagePeriod(pending, 0, at('2025-01-03'), [])).toMatchObject({ start: at('2025-01-03'), end: null });
});

const monthly = signs('2025-01-31', api('1')).contract();
const inTrial = signs('2025-01-01', api('1'), { trialDays: 14 }).contract();

test.each<[string, Contract, string, number]>([
  ['before the contract', monthly, '2025-01-30', 1],
  ['at its start', monthly, '2025-01-31', 1],
  ['a millisecond before the boundary', monthly, '2025-02-27T23:59:59.999', 1],
  ['at the boundary', monthly, '2025-02-28', 2],
  ['in the third', monthly, '2025-04-01', 3],
  ['in a trial', inTrial, '2025-01-14T23:59:59.999', 0],
  ['at the trial’s end', inTrial, '2025-01-15', 1],
  ['behind it', inTrial, '2025-02-20', 2],
  ['in a trial that has ended', { ...inTrial, start: at('2025-01-15') }, '2025-01-10', 0],
  ['in the period a change kept', { ...monthly, firstCycle: 1 }, '2025-03-05', 1],
  ['before the period a change kept', { ...monthly, firstCycle: 1 }, '2025-02-05', 1],
  ['in the one after', { ...monthly, firstCycle: 1 }, '2025-03-31', 2],
  ['of a pending contract', signs('2025-01-01', api('1'), { isPending: true }).contract(), '2025-02-05', 0],
])('the usage period %s', (_, contract, date, expected) => {
  expect(periodIdxAt(contract, [], at(date))).toBe(expected);
});

test('a trial has begun nothing before its end, or while a freeze leaves that unknown', () => {
  expect(begunBy(inTrial, [], at('2025-01-14')).start).toBeNull();
  expect(begunBy(inTrial, [], at('2025-01-15')).start).toBe(at('2025-01-15'));
  expect(begunBy(inTrial, [{ from: at('2025-01-05'), to: null }], at('2025-02-01')).start).toBeNull();
  expect(begunBy(monthly, [], at('2025-01-01'))).toBe(monthly);
});

test('the trial’s usage closes an hour after it by its policy, the part before a change to another price an hour after that', () => {
  const configuration = { usagePeriodClosingPolicy: '1 hour' } as const;
  const trial = signs('2025-01-01', api('1'), { trialDays: 14, configuration });
  trial.advance('2025-01-15');
  expect([...trial.ledger.periods.values()]).toMatchObject([
    { idx: 0, status: 'closing', closesAt: at('2025-01-15T01:00') },
    { idx: 1, status: 'open' },
  ]);
  const story = signs('2025-01-01', api('1'), { configuration });
  const first = story.id();
  changes(story, '2025-01-10', changeToPlan(api('3', '5')));
  expect(story.ledger.periods.get(`${first}/1`)).toMatchObject({
    status: 'closing',
    until: at('2025-01-10'),
    closesAt: at('2025-01-10T01:00'),
  });
  story.advance('2025-01-10T01:00');
  expect(story.ledger.periods.get(`${first}/1`)).toMatchObject({ status: 'closed', closedAt: at('2025-01-10T01:00') });
});

test('the period that runs: that of the cycle, 0 in a trial, none before and after', () => {
  const active = { status: 'active', start: 1, currentIdx: 3 } as const;
  expect(runningIdx(active)).toBe(3);
  expect(runningIdx({ ...active, start: null, currentIdx: null })).toBe(0);
  expect(runningIdx({ ...active, status: 'moved' })).toBeNull();
  expect(runningIdx({ ...active, status: 'scheduled', start: null })).toBeNull();
});

test('closed by hand on 20 January with a fee of 10: the whole period is charged, and nothing once it ends', () => {
  const story = signs('2025-01-01', api('100', '10'), { configuration: { usagePeriodClosingPolicy: 'manual' } });
  story.uses('2025-01-05', 'calls', '4');
  story.does('2025-01-20', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
  expect(since(story, 1)).toEqual(['2025-01-20 14.00: usage feature:calls 14.00']);
  expect([...story.ledger.periods.values()]).toMatchObject([
    { idx: 1, until: at('2025-02-01'), status: 'closed', closedAt: at('2025-01-20'), closesAt: at('2025-01-20') },
  ]);
  story.advance('2025-02-01');
  expect(since(story, 2)).toEqual(['2025-02-01 100.00: plan 100.00']);
});

test('usage of a trial closes without a charge, under any policy', () => {
  const story = signs('2025-01-01', api('100', '10'), { trialDays: 14, configuration: { usagePeriodClosingPolicy: '1 hour' } });
  story.uses('2025-01-05', 'calls', '4');
  story.advance('2025-01-16');
  expect(invoicesOf(story)).toEqual(['2025-01-15 100.00: plan 100.00']);
  expect(periodsOf(story)).toEqual(['0: 2025-01-01 – 2025-01-15 closed', '1: 2025-01-15 – 2025-02-15 open']);
});

test('a trial closed by hand, and a once contract’s open period up to now with a whole fee', () => {
  const once = signs('2025-01-01', { ...api('5', '2'), pricing: { ...api('5', '2').pricing, cycle: 'once' } });
  once.uses('2025-01-05', 'calls', '4');
  once.does('2025-03-01', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
  expect(since(once, 1)).toEqual(['2025-03-01 6.00: usage feature:calls 6.00']);
  expect([...once.ledger.periods.values()]).toMatchObject([{ until: at('2025-03-01'), closedAt: at('2025-03-01') }]);
});

test('a frozen period has no end, later it has one five days on, with the time it closes', () => {
  const story = signs('2025-01-01', api('1'), { configuration: { usagePeriodClosingPolicy: '1 hour' } });
  story.ledger.pauses = story.does('2025-01-10', planFreeze).snapshot.customer.pauses;
  expect([...story.ledger.periods.values()]).toMatchObject([{ end: null, until: null, closesAt: null }]);
  story.ledger.pauses = story.does('2025-01-15', planUnfreeze).snapshot.customer.pauses;
  expect([...story.ledger.periods.values()]).toMatchObject([
    { start: at('2025-01-01'), from: at('2025-01-01'), end: at('2025-02-06'), until: at('2025-02-06'), closesAt: at('2025-02-06T01:00') },
  ]);
});

test('frozen and back at one instant: no pause is left, the customer is active again; an active one is left alone', () => {
  const story = signs('2025-01-01', api('1'));
  const frozen = story.does('2025-01-10', planFreeze);
  expect(frozen.snapshot.customer).toMatchObject({ status: 'inactive', pauses: [{ from: at('2025-01-10'), to: null }] });
  story.ledger.pauses = frozen.snapshot.customer.pauses;
  const back = story.does('2025-01-10', planUnfreeze);
  expect(back.snapshot.customer).toMatchObject({ status: 'active', pauses: [] });
  story.ledger.pauses = back.snapshot.customer.pauses;
  expect(story.does('2025-01-11', planUnfreeze).effects).toMatchObject({ contracts: [], periods: [], agenda: [] });
});

/** Records a correction for one contract of the chain and lets the rule see it. */
function corrects(story: Story, id: string, date: string, units: string, charged: string): void {
  story.ledger.corrections.push({ contractId: id, periodIdx: 1, slug: 'calls', units, charged, occasion: date });
  write(story.ledger, planCorrections(snapshotOf(story.ledger, id, at(date)), at(date), story.newId));
}

test('corrections of both halves of a June split by a change on the 16th count half a fee of 10, and of 12, on the next invoice', () => {
  const story = signs('2025-06-01', api('100', '10'));
  const first = story.id();
  story.uses('2025-06-10', 'calls', '3');
  changes(story, '2025-06-16', changeToPlan(api('300', '12')));
  story.uses('2025-06-20', 'calls', '7');
  story.advance('2025-07-01');
  expect(since(story, 1)).toEqual([
    '2025-06-16 8.00: usage feature:calls 8.00',
    '2025-06-16 100.00: credit plan -50.00, plan 150.00',
    '2025-07-01 313.00: usage feature:calls 13.00, plan 300.00',
  ]);
  corrects(story, first, '2025-07-02', '1', '8.00');
  corrects(story, story.id(), '2025-07-03', '10', '13.00');
  expect(since(story, 4)).toEqual([]);
  story.advance('2025-08-01');
  expect(since(story, 4)).toEqual([
    '2025-08-01 313.00: usage feature:calls 12.00, plan 300.00, correction feature:calls -2.00, correction feature:calls 3.00',
  ]);
});

test('a correction of a period lived in full counts its whole fee, after a change before it and an end behind it', () => {
  const story = signs('2025-06-01', api('100', '10'));
  changes(story, '2025-06-16', changeToPlan(api('300', '10')));
  story.advance('2025-08-20');
  story.does('2025-08-20', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
  );
  const id = story.id();
  story.ledger.corrections.push({ contractId: id, periodIdx: 2, slug: 'calls', units: '4', charged: '10.00', occasion: 'x' });
  write(story.ledger, planCorrections(snapshotOf(story.ledger, id, at('2025-08-21')), at('2025-08-21'), story.newId));
  expect(invoicesOf(story).at(-1)).toBe('2025-08-21 4.00: correction feature:calls 4.00');
});

test('a correction of a canceled contract is charged at once, also while usage is still to close', () => {
  const story = signs('2025-01-01', api('100'), { configuration: { usagePeriodClosingPolicy: '1 day' } });
  story.uses('2025-01-10', 'calls', '3');
  story.advance('2025-02-02');
  story.does('2025-02-10', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
  );
  const before = story.ledger.invoices.length;
  corrects(story, story.id(), '2025-02-10T12:00', '1', '3.00');
  expect(since(story, before)).toEqual(['2025-02-10T12:00Z 0.00: correction feature:calls -2.00, wallet 2.00']);
  expect(story.ledger.corrections).toEqual([]);
  story.advance('2025-02-11');
  expect(since(story, before)).toHaveLength(1);
});

test('corrections of a trial, and of a feature that was never charged, are settled without a line', () => {
  const story = signs('2025-01-01', api('100'), { trialDays: 5 });
  story.advance('2025-01-06');
  story.ledger.corrections.push({
    contractId: story.id(),
    periodIdx: 0,
    slug: 'calls',
    units: '9',
    charged: '0.00',
    occasion: 'x',
  });
  story.advance('2025-02-06');
  expect(since(story, 1)).toEqual(['2025-02-06 100.00: usage feature:calls 0.00, plan 100.00']);
  expect(story.ledger.corrections).toEqual([]);
  story.ledger.corrections.push({
    contractId: story.id(),
    periodIdx: 1,
    slug: 'none',
    units: '9',
    charged: '0.00',
    occasion: 'y',
  });
  story.advance('2025-03-06');
  expect(since(story, 2)).toEqual(['2025-03-06 100.00: usage feature:calls 0.00, plan 100.00']);
  expect(story.ledger.corrections).toEqual([]);
});

test('a correction that waits goes with the old contract at a change', () => {
  const story = signs('2025-01-01', api('100'));
  story.uses('2025-01-10', 'calls', '3');
  story.advance('2025-02-10');
  const first = story.id();
  story.ledger.corrections.push({
    contractId: first,
    periodIdx: 1,
    slug: 'calls',
    units: '1',
    charged: '3.00',
    occasion: 'x',
  });
  changes(story, '2025-02-15', changeToPlan(api('300')));
  expect(since(story, 2)).toEqual([
    '2025-02-15 0.00: correction feature:calls -2.00, wallet 2.00',
    '2025-02-15 100.00: credit plan -50.00, plan 150.00',
  ]);
  expect(story.ledger.corrections).toEqual([]);
});

test('trigger manual: what was corrected waits with the other lines', () => {
  const story = signs('2025-01-01', planOffer('p', { price: price('1'), features: { calls: usagePrice('1') } }), {
    configuration: { invoiceTrigger: 'manual' },
  });
  story.uses('2025-01-10', 'calls', '3');
  story.advance('2025-02-01');
  story.ledger.corrections.push({
    contractId: story.id(),
    periodIdx: 1,
    slug: 'calls',
    units: '1',
    charged: '3.00',
    occasion: 'x',
  });
  story.advance('2025-03-01');
  expect(invoicesOf(story)).toEqual([]);
  expect([...story.ledger.lines.values()].map(({ kind, totalIncludingTax }) => `${kind} ${totalIncludingTax}`)).toEqual([
    'recurring 1.00',
    'usage 3.00',
    'recurring 1.00',
    'usage 0.00',
    'recurring 1.00',
    'correction -2.00',
  ]);
});

test('usage reported ahead in a period that was closed by hand stays charged there: a change before its instant takes it nowhere', () => {
  const story = signs('2025-01-01', api('100'));
  const first = story.id();
  story.uses('2025-01-10T00:49', 'calls', '3');
  story.does('2025-01-10', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
  changes(story, '2025-01-10T00:10', changeToPlan(api('300')));
  story.advance('2025-02-01');
  const used = [...story.ledger.lines.values()]
    .filter(({ kind }) => kind === 'usage')
    .map(({ contractId, subtotal }) => [contractId, subtotal]);
  expect(used).toEqual([
    [first, '3.00'],
    [story.id(), '0.00'],
  ]);
});

describe('a running period that was closed by hand', () => {
  const closedEarly = (plan = api('1')): Story => {
    const story = signs('2025-01-01', plan);
    story.does('2025-01-05', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
    return story;
  };

  test('ends later by a freeze, where the next one begins', () => {
    const story = closedEarly();
    story.ledger.pauses = story.does('2025-01-10', planFreeze).snapshot.customer.pauses;
    story.ledger.pauses = story.does('2025-01-20', planUnfreeze).snapshot.customer.pauses;
    expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-02-11 closed']);
    story.advance('2025-02-11');
    expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-02-11 closed', '2: 2025-02-11 – 2025-03-11 open']);
  });

  test('ends later by a freeze while its contract was parked, once that is resumed', () => {
    const story = closedEarly();
    story.ledger.pauses = [{ from: at('2025-01-10'), to: at('2025-01-20') }];
    write(story.ledger, planResume(snapshotOf(story.ledger, story.id(), at('2025-02-20')), at('2025-02-20'), story.newId));
    expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-02-11 closed', '2: 2025-02-11 – 2025-03-11 open']);
  });

  test('has no end that a freeze could move, if it lasts as long as its contract', () => {
    const plan = api('1');
    const story = closedEarly({ ...plan, pricing: { ...plan.pricing, cycle: 'once' } });
    story.ledger.pauses = story.does('2025-01-10', planFreeze).snapshot.customer.pauses;
    story.ledger.pauses = story.does('2025-01-20', planUnfreeze).snapshot.customer.pauses;
    expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-01-05 closed']);
  });
});
