import { at, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { successorAhead } from '../../../billing/contract/estimate/successor-ahead.ts';
import { usesAhead } from '../../support-billing/ahead.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { day, invoicesOf, periodsOf, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// Usage may be reported up to an hour ahead of time: the period it lies in then has a row before it begins.

function freezes(story: Story, from: string, to: string): void {
  freeze(story, at(from));
  unfreeze(story, at(to));
}

const agendaOf = ({ ledger, id }: Story): string[] => (ledger.agenda.get(id()) ?? []).map(({ kind, dueAt }) => `${day(dueAt)} ${kind}`);
const calls = usagePrice('1', { flatFee: '10' });
const hourly = planOffer('hourly', { cycle: 'hour', features: { calls } });
const monthly = planOffer('monthly', { features: { calls } });

test('3 calls reported at 00:50 for 01:10, frozen 00:55–04:00: the hour they count in runs 04:05–05:05 and is charged 13.00, once', () => {
  const story = signs('2025-01-01', hourly);
  story.advance('2025-01-01T00:50');
  usesAhead(story, '2025-01-01T01:10', '3');
  freeze(story, at('2025-01-01T00:55'));
  expect(agendaOf(story)).toEqual([]);
  story.advance('2025-01-01T03:00');
  expect(invoicesOf(story)).toEqual([]);
  unfreeze(story, at('2025-01-01T04:00'));
  expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-01-01T04:05Z open', '2: 2025-01-01T04:05Z – 2025-01-01T05:05Z open']);
  story.advance('2025-01-01T05:05');
  expect(invoicesOf(story)).toEqual([
    '2025-01-01T04:05Z 10.00: usage feature:calls 10.00',
    '2025-01-01T05:05Z 13.00: usage feature:calls 13.00',
  ]);
});

test('a month reported ahead, frozen for 40 days over its natural end: it begins on 9 April and runs a month from there', () => {
  const story = signs('2025-01-31T00:30', monthly);
  story.advance('2025-02-28T00:00');
  usesAhead(story, '2025-02-28T00:40', '3');
  freezes(story, '2025-02-28T00:10', '2025-04-09T00:10');
  story.advance('2025-05-10');
  expect(periodsOf(story).slice(0, 2)).toEqual([
    '1: 2025-01-31T00:30Z – 2025-04-09T00:30Z closed',
    '2: 2025-04-09T00:30Z – 2025-05-09T00:30Z closed',
  ]);
  expect(invoicesOf(story)).toEqual([
    '2025-04-09T00:30Z 10.00: usage feature:calls 10.00',
    '2025-05-09T00:30Z 13.00: usage feature:calls 13.00',
  ]);
});

test('3 calls for 00:10 of July, changed 20 minutes before to 2.00 a call and canceled 10 minutes before: charged 6.00, once', () => {
  const story = signs('2025-06-01', planOffer('plain', { features: { calls: usagePrice('1') } }));
  story.advance('2025-06-30T23:30');
  usesAhead(story, '2025-07-01T00:10', '3');
  story.advance('2025-06-30T23:40');
  const before = snapshotOf(story.ledger, story.id(), at('2025-06-30T23:40'));
  const { outcome } = changes(story, '2025-06-30T23:40', changeToPlan(planOffer('dear', { features: { calls: usagePrice('2') } })));
  const foreseen = successorAhead(before, outcome, at('2025-06-30T23:40'));
  expect(foreseen?.periods).toEqual(snapshotOf(story.ledger, story.id(), at('2025-06-30T23:40')).periods);
  expect(periodsOf(story).filter((row) => row.endsWith('open'))).toEqual([
    '1: 2025-06-30T23:40Z – 2025-07-01 open',
    '2: 2025-07-01 – 2025-08-01 open',
  ]);
  story.does('2025-06-30T23:50', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
  );
  expect(invoicesOf(story)).toEqual(['2025-06-30T23:50Z 6.00: usage feature:calls 0.00, usage feature:calls 6.00']);
});

test('reported in a trial for the hour after it, frozen 00:55–02:00 of its last day: the first period moves with the trial’s end', () => {
  const story = signs('2025-01-01T01:00', planOffer('t', { cycle: 'day', trialDays: 1, features: { calls } }));
  story.advance('2025-01-02T00:50');
  usesAhead(story, '2025-01-02T01:10', '3');
  freezes(story, '2025-01-02T00:55', '2025-01-02T02:00');
  expect(periodsOf(story)).toEqual(['0: 2025-01-01T01:00Z – 2025-01-02T02:05Z open', '1: 2025-01-02T02:05Z – 2025-01-03T02:05Z open']);
  story.advance('2025-01-03T02:05');
  expect(invoicesOf(story)).toEqual(['2025-01-03T02:05Z 13.00: usage feature:calls 13.00']);
});

test('month, quarter and year prices beside it are charged at their own moved instants: 5 Feb, 5 April, 5 Jan', () => {
  const features = { calls, m: ['month', price('1')], q: ['quarter', price('3')], y: ['year', price('12')] } as const;
  const story = signs(
    '2025-01-01',
    planOffer('w', { cycle: 'week', features: { ...features, m: [...features.m], q: [...features.q], y: [...features.y] } }),
  );
  story.advance('2025-01-07T23:30');
  usesAhead(story, '2025-01-08T00:10', '3');
  freezes(story, '2025-01-07T23:40', '2025-01-11T23:40');
  expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-01-12 open', '2: 2025-01-12 – 2025-01-19 open']);
  story.advance('2026-01-06');
  const custom = [...story.ledger.lines.values()].filter(({ kind }) => kind === 'custom');
  const begins = (source: string): string[] =>
    custom.filter((line) => line.source === `feature:${source}`).map(({ span }) => day(span?.start ?? 0));
  expect(begins('m').slice(0, 3)).toEqual(['2025-01-01', '2025-02-05', '2025-03-05']);
  expect(begins('q').slice(0, 2)).toEqual(['2025-01-01', '2025-04-05']);
  expect(begins('y')).toEqual(['2025-01-01', '2026-01-05']);
});

test('a period that hasn’t begun can’t be closed by hand, so that it isn’t charged twice', () => {
  const story = signs('2025-01-01', hourly);
  story.advance('2025-01-01T00:50');
  usesAhead(story, '2025-01-01T01:10', '3');
  expect(() => story.does('2025-01-01T00:55', (snapshot, now, newId) => planUsageClosing(snapshot, 2, now, newId))).toThrow(
    expect.objectContaining({ code: 'usage_period_not_found' }),
  );
  story.advance('2025-01-01T02:00');
  expect(invoicesOf(story)).toEqual([
    '2025-01-01T01:00Z 10.00: usage feature:calls 10.00',
    '2025-01-01T02:00Z 13.00: usage feature:calls 13.00',
  ]);
});

test('reported ahead, frozen 00:55–04:00, changed at 04:01 before the hour begins: the 3 calls are charged by the new contract', () => {
  const story = signs('2025-01-01', hourly);
  story.advance('2025-01-01T00:50');
  usesAhead(story, '2025-01-01T01:10', '3');
  freezes(story, '2025-01-01T00:55', '2025-01-01T04:00');
  changes(
    story,
    iso(at('2025-01-01T04:01')),
    changeToPlan(planOffer('other', { cycle: 'hour', features: { calls: usagePrice('2') } }), { downgradeAllowed: true }),
  );
  story.advance('2025-01-01T04:05');
  expect(invoicesOf(story)).toEqual([
    '2025-01-01T04:01Z 9.33: usage feature:calls 9.33',
    '2025-01-01T04:05Z 6.00: usage feature:calls 6.00',
  ]);
});

test('the same, canceled at 04:01: the 3 calls are charged, no fee for an hour that never begins', () => {
  const story = signs('2025-01-01', hourly);
  story.advance('2025-01-01T00:50');
  usesAhead(story, '2025-01-01T01:10', '3');
  freezes(story, '2025-01-01T00:55', '2025-01-01T04:00');
  story.does('2025-01-01T04:01', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
  );
  expect(invoicesOf(story)).toEqual(['2025-01-01T04:01Z 12.33: usage feature:calls 9.33, usage feature:calls 3.00']);
});

test('reported in a trial for the hour after it, then changed: what lies beyond the trial is charged by the new contract', () => {
  const daily = (slug: string, amount: string) => planOffer(slug, { cycle: 'day', trialDays: 1, features: { calls: usagePrice(amount) } });
  const story = signs('2025-01-01T01:00', daily('a', '1'));
  story.advance('2025-01-02T00:50');
  usesAhead(story, '2025-01-02T01:10', '3');
  changes(story, '2025-01-02T00:55', changeToPlan(daily('b', '2')));
  story.advance('2025-01-03T01:00');
  expect(invoicesOf(story)).toEqual(['2025-01-03T01:00Z 6.00: usage feature:calls 6.00']);
});

test('4 calls reported at 23:50 for 00:30, and at midnight a change to a plan without calls: 4.00 and no fee on the old contract', () => {
  const story = signs('2025-06-01', monthly);
  const old = story.id();
  changes(story, '2025-06-20', changeToPlan(planOffer('plain', { price: '300' }), { activation: 'next_cycle' }));
  story.uses('2025-06-30', 'calls', '10');
  usesAhead(story, '2025-07-01T00:30', '4');
  story.advance('2025-07-01');
  const lines = [...story.ledger.lines.values()].filter(({ contractId, kind }) => contractId === old && kind === 'usage');
  expect(lines.map(({ totalIncludingTax }) => totalIncludingTax)).toEqual(['20.00', '4.00']);
  expect(story.ledger.used.map(({ contractId }) => contractId)).toEqual([old, old]);
  expect([...story.ledger.periods.values()].filter(({ contractId }) => contractId === old).map(({ status }) => status)).toEqual([
    'closed',
    'closed',
  ]);
});
