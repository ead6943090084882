import { at, iso } from '../../../billing/calendar/instant.ts';
import { planActivation } from '../../../billing/contract/advance/activate.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planFreeze, planUnfreeze } from '../../../billing/contract/advance/freeze.ts';
import { planResume } from '../../../billing/contract/advance/resume.ts';
import { planCancellation, planCancelUndo, planChangeUndo } from '../../../billing/contract/change/cancel.ts';
import { planChange } from '../../../billing/contract/change/change.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import { planOnDemand } from '../../../billing/contract/charge/on-demand.ts';
import type { ContractSnapshot, NewId, Outcome } from '../../../billing/contract/types.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { countingIds, snapshotOf, write } from '../../support-billing/ledger.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

const offer = planOffer('p', { price: '100', features: { calls: usagePrice('1'), report: ['on_demand', price('5')] } });
const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount });
const LATE = at('2025-02-05');

/** A contract from 1 January that has not been advanced by 5 February. */
function late(before: (story: Story) => void = () => {}): ContractSnapshot {
  const story = signs('2025-01-01', offer);
  before(story);
  return snapshotOf(story.ledger, story.id(), LATE);
}

const day = (instant: number): string => iso(instant).slice(0, 10);

test.each<[string, ContractSnapshot, (snapshot: ContractSnapshot, now: number, newId: NewId) => Outcome]>([
  [
    'a cancellation',
    late(),
    (snapshot, now, newId) => planCancellation(snapshot, { when: { type: 'end_of_cycle' }, credit: false, notes: null }, now, newId),
  ],
  [
    'taking a cancellation back',
    late((story) =>
      story.does('2025-01-05', (snapshot, now, newId) =>
        planCancellation(snapshot, { when: { type: 'date', date: at('2025-03-05') }, credit: false, notes: null }, now, newId),
      ),
    ),
    planCancelUndo,
  ],
  [
    'taking a change back',
    late((story) => changes(story, '2025-01-05', changeToPlan(monthly('1'), { activation: '2025-03-01' }))),
    planChangeUndo,
  ],
  ['a change', late(), (snapshot, now, newId) => planChange(snapshot, changeToPlan(monthly('1')), now, newId).outcome],
  ['a report', late(), (snapshot, now, newId) => planOnDemand(snapshot, { slug: 'report', units: null }, now, newId)],
  ['closing February early', late(), (snapshot, now, newId) => planUsageClosing(snapshot, 2, now, newId)],
  ['a correction', late(), planCorrections],
  ['a freeze', late(), planFreeze],
  ['an unfreeze of one that isn’t frozen', late(), planUnfreeze],
  ['a resumption', late(), planResume],
])('%s on 5 February first brings the contract up: 100.00 of 1 February', (_, snapshot, rule) => {
  const { effects } = rule(snapshot, LATE, countingIds());
  expect([day(effects.invoices[0]?.date ?? 0), effects.invoices[0]?.total]).toEqual(['2025-02-01', '100.00']);
});

test('an activation on 5 February comes too late for a contract that expired on the 3rd', () => {
  const story = signs('2025-01-01', offer, { isPending: true, expiration: '2025-02-03' });
  const snapshot = snapshotOf(story.ledger, story.id(), LATE);
  expect(() => planActivation(snapshot, null, LATE, countingIds())).toThrow(expect.objectContaining({ code: 'contract_ended' }));
});

test('an activation before the expiration is taken, now and later', () => {
  const story = signs('2025-01-01', offer, { isPending: true, expiration: '2025-03-01' });
  const snapshot = snapshotOf(story.ledger, story.id(), LATE);
  expect(planActivation(snapshot, null, LATE, countingIds()).snapshot.contract.status).toBe('active');
  expect(planActivation(snapshot, at('2025-02-28'), LATE, countingIds()).snapshot.contract).toMatchObject({
    status: 'scheduled',
    activation: at('2025-02-28'),
  });
});

test('a year late, three instants a run: January to March first, then the rest', () => {
  const story = signs('2025-01-01', monthly('100'), { activation: '2025-01-01' });
  const run = (instants?: number) => {
    const upTo = at('2025-12-15');
    const outcome = advance(
      snapshotOf(story.ledger, story.id(), upTo),
      upTo,
      story.newId,
      instants === undefined ? undefined : { instants },
    );
    write(story.ledger, outcome);
    return outcome.effects.invoices.map(({ date }) => day(date));
  };
  expect(run(3)).toEqual(['2025-02-01', '2025-03-01', '2025-04-01']);
  expect(run(1)).toEqual(['2025-05-01']);
  expect(run()).toHaveLength(7);
});

test('parked over a freeze that begins at the very boundary: charged as on time, and moved by the freeze as on time', () => {
  const lived = (isLate: boolean) => {
    const story = signs('2025-01-01', monthly('100'));
    const pauses = [{ from: at('2025-02-01'), to: at('2025-02-06') }];
    if (!isLate) story.advance('2025-02-01');
    story.ledger.pauses = pauses;
    const now = at('2025-03-10');
    write(story.ledger, planResume(snapshotOf(story.ledger, story.id(), now), now, story.newId));
    return [...story.ledger.lines.values()].map(({ span, totalIncludingTax }) => [span?.start, span?.end, totalIncludingTax]);
  };
  expect(lived(true)).toEqual([
    [at('2025-01-01'), at('2025-02-01'), '100.00'],
    [at('2025-02-01'), at('2025-03-01'), '100.00'],
    [at('2025-03-06'), at('2025-04-06'), '100.00'],
  ]);
  expect(lived(true)).toEqual(lived(false));
});

test('a correction waits past a boundary without lines of its own for the next invoice', () => {
  const story = signs('2025-01-01', planOffer('api', { features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: '1 day' },
  });
  story.uses('2025-01-10', 'calls', '3');
  story.advance('2025-02-03');
  story.ledger.corrections.push({
    contractId: story.id(),
    periodIdx: 1,
    slug: 'calls',
    units: '1',
    charged: '3.00',

    occasion: 'x',
  });
  story.advance('2025-03-01');
  expect([invoicesOf(story).length, story.ledger.corrections.length]).toEqual([1, 1]);
  story.advance('2025-03-02');
  expect(invoicesOf(story).slice(1)).toEqual(['2025-03-02 0.00: usage feature:calls 0.00, correction feature:calls -2.00, wallet 2.00']);
  expect(story.ledger.corrections).toEqual([]);
});

test('what is charged in the same run is given back with the rest: canceled on 15 February, 14 of 28 days of plan and review', () => {
  const story = signs(
    '2025-01-01',
    planOffer('p', { price: '100', features: { review: ['month', price('10')], setup: ['first_cycle', price('7')] } }),
  );
  const now = at('2025-02-15');
  const cancel = (snapshot: ContractSnapshot, newId: NewId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId);
  write(story.ledger, cancel(snapshotOf(story.ledger, story.id(), now), story.newId));
  expect(invoicesOf(story).slice(1)).toEqual([
    '2025-02-01 110.00: plan 100.00, custom feature:review 10.00',
    '2025-02-15 0.00: credit plan -50.00, credit feature:review -5.00, wallet 55.00',
  ]);
});

test('trigger manual: what was charged in the same run waits with the lines from before', () => {
  const story = signs('2025-01-01', monthly('100'), { configuration: { invoiceTrigger: 'manual' } });
  const now = at('2025-02-15');
  const { remainsToPay, outcome } = planChange(snapshotOf(story.ledger, story.id(), now), changeToPlan(monthly('300')), now, story.newId);
  expect(remainsToPay[0]?.lines.map(({ totalIncludingTax }) => totalIncludingTax)).toEqual(['100.00', '100.00']);
  expect(remainsToPay[0]?.invoice).toMatchObject({ total: '200.00', status: 'pending_validation' });
  expect(outcome.effects.invoices).toEqual([]);
});

test('an invoice at once is ready for payment and collected as the contract says', () => {
  const of = (automaticPayment: boolean) => {
    const story = signs('2025-01-01', monthly('100'), { configuration: { automaticPayment } });
    return story.ledger.invoices.map(({ status, automatic, customerId, contractId }) => [
      status,
      automatic,
      customerId,
      contractId === story.id(),
    ]);
  };
  expect(of(true)).toEqual([['ready_for_payment', true, 'Cust_1', true]]);
  expect(of(false)).toEqual([['ready_for_payment', false, 'Cust_1', true]]);
});

test('after a change both contracts have their agenda: the old one nothing, the new one its boundary and its usage', () => {
  const api = (amount: string) => planOffer(`a${amount}`, { price: amount, features: { calls: usagePrice('1') } });
  const story = signs('2025-01-01', api('100'), { configuration: { usagePeriodClosingPolicy: '1 day' } });
  const first = story.id();
  const { outcome } = changes(story, '2025-01-16', changeToPlan(api('300')));
  expect(outcome.effects.agenda.map(({ contractId, rows }) => [contractId, rows.map(({ kind, dueAt }) => [kind, day(dueAt)])])).toEqual([
    [first, []],
    [
      story.id(),
      [
        ['boundary', '2025-02-01'],
        ['usage_closing', '2025-02-02'],
      ],
    ],
  ]);
});

test('a closed period leaves the snapshot with its usage; those that are left stand in their order', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '1', features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: 'manual' },
  });
  story.uses('2025-01-10', 'calls', '3');
  story.uses('2025-02-01', 'calls', '4');
  const now = at('2025-02-03');
  const open = advance(snapshotOf(story.ledger, story.id(), now), now, story.newId).snapshot;
  expect(open.periods.map(({ idx, status }) => `${idx} ${status}`)).toEqual(['1 closing', '2 open']);
  const { snapshot } = planUsageClosing(open, 1, now, story.newId);
  expect(snapshot.periods.map(({ idx }) => idx)).toEqual([2]);
  expect(snapshot.usage.map(({ periodIdx }) => periodIdx)).toEqual([2]);
});

test('resuming a contract that missed nothing writes its agenda again', () => {
  const story = signs('2025-01-01', monthly('100'));
  const { effects } = planResume(snapshotOf(story.ledger, story.id(), at('2025-01-10')), at('2025-01-10'), story.newId);
  expect(effects.agenda.map(({ contractId, rows }) => [contractId, rows.length])).toEqual([[story.id(), 1]]);
  expect(effects.invoices).toEqual([]);
});
