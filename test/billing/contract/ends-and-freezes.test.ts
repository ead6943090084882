import { at } from '../../../billing/calendar/instant.ts';
import { planActivation } from '../../../billing/contract/advance/activate.ts';
import { planFreeze, planUnfreeze } from '../../../billing/contract/advance/freeze.ts';
import { type CancelRequest, planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import { planOnDemand } from '../../../billing/contract/charge/on-demand.ts';
import { timesOf } from '../../../billing/contract/charge/views.ts';
import { usagePeriod } from '../../../billing/contract/period/periods.ts';
import { datesFrom } from '../../../billing/contract/period/time.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { contractOf } from '../../support-billing/ledger.ts';
import { invoicesOf, periodsOf, type Story, signs } from '../../support-billing/story.ts';

const monthly = (amount: string, slug = `p${amount}`) => planOffer(slug, { price: amount });
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);

function cancels(story: Story, date: string, when: CancelRequest['when'], credit = false): void {
  story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit, notes: null }, now, newId));
}

function freezes(story: Story, date: string): void {
  story.ledger.pauses = story.does(date, planFreeze).snapshot.customer.pauses;
}

function unfreezes(story: Story, date: string): void {
  story.ledger.pauses = story.does(date, planUnfreeze).snapshot.customer.pauses;
}

test('canceled now with credit at half of the period: −50.00 and the usage so far on one invoice, 47.00 to the wallet', () => {
  const story = signs('2025-06-01', planOffer('api', { price: '100', features: { calls: usagePrice('1') } }));
  story.uses('2025-06-10', 'calls', '3');
  cancels(story, '2025-06-16', { type: 'now' }, true);
  expect(since(story, 1)).toEqual(['2025-06-16 0.00: credit plan -50.00, usage feature:calls 3.00, wallet 47.00']);
  expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-06-16') });
  story.advance('2026-01-01');
  expect(invoicesOf(story)).toHaveLength(2);
  expect(() => cancels(story, '2026-01-01', { type: 'now' })).toThrow(expect.objectContaining({ code: 'contract_ended' }));
});

test.each([
  [
    'expired at half of June: minimum and fee whole',
    '2025-06-01',
    { expiration: '2025-06-16' },
    '2025-06-16 40.00: usage feature:calls 40.00',
  ],
  [
    'expired in a stub of half a month: as much as the stub is',
    '2025-06-16',
    { expiration: '2025-06-20', offset: 0 },
    '2025-06-20 20.00: usage feature:calls 20.00',
  ],
])('%s', (_, signed, terms, expected) => {
  const story = signs(signed, planOffer('api', { features: { calls: usagePrice('1', { flatFee: '10', minimum: '30' }) } }), terms);
  story.uses(signed, 'calls', '3');
  story.advance('2025-09-01');
  expect(invoicesOf(story)).toEqual([expected]);
});

test('canceled for the very instant of the expiration, half of June: the cancellation comes first, minimum and fee of 15 days of 30', () => {
  const calls = usagePrice('1', { flatFee: '10', minimum: '30' });
  const story = signs('2025-06-01', planOffer('api', { features: { calls } }), {
    expiration: '2025-06-16',
    configuration: { usagePeriodClosingPolicy: '1 hour' },
  });
  cancels(story, '2025-06-10', { type: 'date', date: at('2025-06-16') });
  story.uses('2025-06-10', 'calls', '3');
  story.advance('2025-09-01');
  expect(invoicesOf(story)).toEqual(['2025-06-16T01:00Z 20.00: usage feature:calls 20.00']);
});

test('canceled for a later day than the expiration, or taken back: expired, minimum and fee whole', () => {
  const calls = usagePrice('1', { flatFee: '10', minimum: '30' });
  for (const back of [false, true]) {
    const story = signs('2025-06-01', planOffer('api', { features: { calls } }), { expiration: '2025-06-16' });
    cancels(story, '2025-06-10', { type: 'date', date: at(back ? '2025-06-16' : '2025-06-17') });
    if (back) story.does('2025-06-11', planCancelUndo);
    story.advance('2025-09-01');
    expect(invoicesOf(story)).toEqual(['2025-06-16 40.00: usage feature:calls 40.00']);
  }
});

test('canceled now without credit; usage waits an hour by its policy', () => {
  const story = signs('2025-06-01', planOffer('api', { price: '100', features: { calls: usagePrice('1', { flatFee: '10' }) } }), {
    configuration: { usagePeriodClosingPolicy: '1 hour' },
  });
  cancels(story, '2025-06-16', { type: 'now' });
  expect(since(story, 1)).toEqual([]);
  story.advance('2025-06-17');
  expect(since(story, 1)).toEqual(['2025-06-16T01:00Z 5.00: usage feature:calls 5.00']);
});

test('canceled at the end of the cycle: 2 calls reported ahead of it are 2.00, without minimum and fee of a period that never begins', () => {
  const calls = usagePrice('1', { flatFee: '10', minimum: '30' });
  const story = signs('2025-06-01', planOffer('api', { price: '100', features: { calls } }));
  cancels(story, '2025-06-10', { type: 'end_of_cycle' });
  story.uses('2025-07-01T00:10Z', 'calls', '2');
  const ahead = usagePeriod(story.contract(), 2, at('2025-07-01'), []);
  story.ledger.periods.set(`${story.id()}/2`, ahead);
  story.advance('2025-09-01');
  expect(since(story, 1)).toEqual(['2025-07-01 42.00: usage feature:calls 40.00, usage feature:calls 2.00']);
  expect(story.ledger.agenda.get(story.id())).toEqual([]);

  const trial = signs('2025-06-01', planOffer('api', { price: '100', trialDays: 14, features: { calls } }));
  const afterTrial = usagePeriod({ ...trial.contract(), start: at('2025-06-15') }, 1, at('2025-06-15'), []);
  cancels(trial, '2025-06-10', { type: 'end_of_cycle' });
  trial.ledger.periods.set(`${trial.id()}/1`, afterTrial);
  trial.advance('2025-09-01');
  expect(invoicesOf(trial)).toEqual([]);
  expect(trial.ledger.agenda.get(trial.id())).toEqual([]);
});

test('canceled at the end of the cycle, undone, then on a date; once and constant have no end of cycle', () => {
  const story = signs('2025-06-01', monthly('100'));
  cancels(story, '2025-06-10', { type: 'end_of_cycle' });
  story.does('2025-06-12', planCancelUndo);
  story.advance('2025-07-01');
  expect(story.contract().status).toBe('active');
  cancels(story, '2025-07-02', { type: 'date', date: at('2025-07-10') }, true);
  story.advance('2025-07-10');
  expect(story.contract()).toMatchObject({ status: 'canceled' });
  expect(since(story, 2)).toEqual(['2025-07-10 0.00: credit plan -70.97, wallet 70.97']);
  const once = signs('2025-01-01', planOffer('o', { price: '5', cycle: 'once' }));
  expect(() => cancels(once, '2025-02-01', { type: 'end_of_cycle' })).toThrow(expect.objectContaining({ code: 'cycle_end_unknown' }));
  expect(() => cancels(once, '2025-02-01', { type: 'date', date: at('2025-01-31') })).toThrow(
    expect.objectContaining({ code: 'past_date' }),
  );
});

test('canceled in the trial: nothing was ever charged', () => {
  const story = signs('2025-01-01', planOffer('t', { price: '100', trialDays: 14 }));
  cancels(story, '2025-01-05', { type: 'end_of_cycle' });
  story.advance('2025-03-01');
  expect(invoicesOf(story)).toEqual([]);
  expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-01-15') });
});

test('frozen 10–15 January: the next cycle begins on 6 February, later ones keep the five days; a credit counts running time only', () => {
  const story = signs('2025-01-01', monthly('100'));
  freezes(story, '2025-01-10');
  expect(story.ledger.agenda.get(story.id())).toEqual([]);
  expect(periodsOf(story)).toEqual(['1: 2025-01-01 – … open']);
  unfreezes(story, '2025-01-15');
  story.advance('2025-03-06');
  expect(since(story, 1)).toEqual(['2025-02-06 100.00: plan 100.00', '2025-03-06 100.00: plan 100.00']);
  changes(story, '2025-03-06', changeToPlan(monthly('300')));
  expect(since(story, 3)).toEqual(['2025-03-06 200.00: credit plan -100.00, plan 300.00']);

  const half = signs('2025-06-01', monthly('100'));
  freezes(half, '2025-06-06');
  unfreezes(half, '2025-07-06');
  changes(half, '2025-07-16', changeToPlan(monthly('300')));
  expect(since(half, 1)).toEqual(['2025-07-16 100.00: credit plan -50.00, plan 150.00']);
  half.advance('2025-07-31');
  expect(since(half, 2)).toEqual(['2025-07-31 300.00: plan 300.00']);
});

test('a freeze moves trial end, expiration and a scheduled change; an activation inside it happens at the unfreeze', () => {
  const story = signs('2025-01-01', planOffer('t', { price: '100', trialDays: 14 }), { expiration: '2025-02-01' });
  freezes(story, '2025-01-05');
  unfreezes(story, '2025-01-10');
  story.advance('2025-03-01');
  expect(invoicesOf(story)).toEqual(['2025-01-20 100.00: plan 100.00']);
  expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-02-06') });

  const changed = signs('2025-01-01', monthly('100'));
  changes(changed, '2025-01-02', changeToPlan(monthly('40')));
  freezes(changed, '2025-01-10');
  unfreezes(changed, '2025-01-12');
  changed.advance('2025-02-03');
  expect(since(changed, 1)).toEqual(['2025-02-03 40.00: plan 40.00']);

  const scheduled = signs('2025-01-01', monthly('100'), { activation: '2025-01-10' });
  freezes(scheduled, '2025-01-05');
  scheduled.advance('2025-01-20');
  expect(scheduled.contract().status).toBe('scheduled');
  unfreezes(scheduled, '2025-01-20');
  expect(scheduled.contract()).toMatchObject({ status: 'active', activation: at('2025-01-20') });
  expect(invoicesOf(scheduled)).toEqual(['2025-01-20 100.00: plan 100.00']);

  const unmoved = signs('2025-01-01', monthly('100'), { activation: '2025-01-30' });
  freezes(unmoved, '2025-01-05');
  unfreezes(unmoved, '2025-01-20');
  unmoved.advance('2025-01-30');
  expect(invoicesOf(unmoved)).toEqual(['2025-01-30 100.00: plan 100.00']);
});

test.each<[string, string, string, string]>([
  ['before it begins', '2025-06-05', '2025-06-15', '2025-07-20'],
  ['that covers its beginning', '2025-06-15', '2025-06-25', '2025-07-25'],
  ['after its beginning', '2025-06-25', '2025-06-28', '2025-07-23'],
])('a freeze %s moves the end of a contract as far as its cycles: one month is charged', (_, from, to, ends) => {
  const month = () => signs('2025-06-01', monthly('30'), { activation: '2025-06-20', expiration: '2025-07-20' });
  const canceled = signs('2025-06-01', monthly('30'), { activation: '2025-06-20' });
  const request = { when: { type: 'date' as const, date: at('2025-07-20') }, credit: false, notes: null };
  canceled.does('2025-06-02', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
  for (const story of [month(), canceled]) {
    freezes(story, from);
    unfreezes(story, to);
    story.advance('2025-09-15');
    expect(story.ledger.invoices.map(({ total }) => total)).toEqual(['30.00']);
    expect(story.contract()).toMatchObject({ status: 'canceled', ended: at(ends) });
  }
});

test.each([null, at('2025-06-28')])(
  'what begins late keeps its end: a freeze after its beginning, to %s, moves it once and later',
  (to) => {
    const request = { when: { type: 'date' as const, date: at('2025-07-15') }, credit: false, notes: null };
    const story = signs('2025-06-01', monthly('30'), { activation: '2025-06-20', expiration: '2025-07-20' });
    story.does('2025-06-02', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    const begins = at('2025-06-20');
    const { expiration, cancellation } = datesFrom(story.contract(), begins, [{ from: at('2025-06-25'), to }]);
    expect([expiration, cancellation?.when]).toEqual([
      { at: at('2025-07-20'), setAt: begins },
      { type: 'date', at: at('2025-07-15'), setAt: begins },
    ]);
  },
);

test('under end_of_period what a change gives back after a freeze is due where the freeze moved the period’s end, like what it charges', () => {
  const story = signs('2025-06-01', monthly('100'), { configuration: { dueDatePolicy: 'end_of_period' } });
  freezes(story, '2025-06-06');
  unfreezes(story, '2025-06-16');
  changes(story, '2025-07-05', changeToPlan(monthly('300')));
  const [, change] = story.ledger.invoices;
  expect(change?.dueDate).toBe(at('2025-07-11'));
  expect([...story.ledger.lines.values()].slice(1).map(({ dueDate, span }) => [dueDate, span?.start, span?.end])).toEqual([
    [at('2025-07-11'), at('2025-07-05'), at('2025-07-11')],
    [at('2025-07-11'), at('2025-07-05'), at('2025-07-11')],
  ]);
});

test('while frozen a period that ended before still closes, nothing else happens; freezing twice changes nothing', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '100', features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: '1 day' },
  });
  story.uses('2025-01-31', 'calls', '7');
  freezes(story, '2025-02-01');
  freezes(story, '2025-02-01T05:00');
  story.advance('2025-06-01');
  expect(since(story, 1)).toEqual(['2025-02-01 100.00: plan 100.00', '2025-02-02 7.00: usage feature:calls 7.00']);
  expect(story.ledger.pauses).toHaveLength(1);
});

test('a hundred freezes in a year: periods tile, twelve invoices, every boundary later by the frozen time', () => {
  const story = signs('2025-01-01', monthly('100'));
  const start = at('2025-01-01');
  for (let i = 0; i < 100; i += 1) {
    const from = start + i * 3 * 86_400_000 + 3_600_000;
    freezes(story, new Date(from).toISOString());
    unfreezes(story, new Date(from + 3_600_000).toISOString());
  }
  story.advance(new Date(at('2026-01-01') + 100 * 3_600_000).toISOString());
  expect(story.ledger.invoices).toHaveLength(13);
  const rows = [...story.ledger.periods.values()].sort((a, b) => a.idx - b.idx);
  expect(rows.slice(1).map(({ from }) => from)).toEqual(rows.slice(0, -1).map(({ until }) => until));
});

test('policy manual: two periods wait and are closed by hand, dated when closed; a closed one is refused, an unknown one too', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '100', features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: 'manual' },
  });
  story.uses('2025-01-31', 'calls', '7');
  story.advance('2025-03-04');
  expect(periodsOf(story).map((one) => one.split(' ').at(-1))).toEqual(['closing', 'closing', 'open']);
  const closes = (idx: number) => story.does('2025-03-04', (snapshot, now, newId) => planUsageClosing(snapshot, idx, now, newId));
  closes(1);
  expect(since(story, 3)).toEqual(['2025-03-04 7.00: usage feature:calls 7.00']);
  expect(() => closes(1)).toThrow(expect.objectContaining({ code: 'usage_period_closed' }));
  expect(() => closes(9)).toThrow(expect.objectContaining({ code: 'usage_period_not_found' }));
});

test('usage of a once contract closes by hand or at the end of the contract', () => {
  const story = signs('2025-01-01', planOffer('o', { price: '5', cycle: 'once', features: { calls: usagePrice('1', { flatFee: '2' }) } }));
  story.uses('2025-04-01', 'calls', '7');
  cancels(story, '2025-05-01', { type: 'now' }, true);
  expect(since(story, 1)).toEqual(['2025-05-01 9.00: usage feature:calls 9.00']);
});

test('on demand: a report at 5, three times 15.00, now; not in a plan without it', () => {
  const story = signs('2025-01-01', planOffer('r', { price: '10', features: { report: ['on_demand', price('5')], seats: price('1') } }));
  const charges = (slug: string, units: string | null) =>
    story.does('2025-01-05', (snapshot, now, newId) => planOnDemand(snapshot, { slug, units }, now, newId));
  charges('report', null);
  charges('report', null);
  expect(since(story, 1)).toEqual(['2025-01-05 5.00: on_demand feature:report 5.00', '2025-01-05 5.00: on_demand feature:report 5.00']);
  expect(() => charges('nothing', null)).toThrow(expect.objectContaining({ code: 'unknown_feature' }));
  expect(() => charges('seats', null)).toThrow(expect.objectContaining({ code: 'not_on_demand' }));
});

test('a pending contract is activated now or later', () => {
  const story = signs('2025-01-01', monthly('100'), { isPending: true });
  expect(story.contract().status).toBe('pending');
  story.does('2025-01-05', (snapshot, now, newId) => planActivation(snapshot, at('2025-01-08'), now, newId));
  expect(story.contract().status).toBe('scheduled');
  story.advance('2025-01-08');
  expect(invoicesOf(story)).toEqual(['2025-01-08 100.00: plan 100.00']);
  const now = signs('2025-01-01', monthly('100'), { isPending: true });
  now.does('2025-01-05', (snapshot, instant, newId) => planActivation(snapshot, null, instant, newId));
  expect(invoicesOf(now)).toEqual(['2025-01-05 100.00: plan 100.00']);
});

test('a correction of closed usage joins the next invoice: 350 in packs of 100 at 0.0295, corrected to 199, −5.90; an ended contract makes one at once', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '50', features: { calls: usagePrice('0.0295', { batch: 100 }) } }));
  story.uses('2025-01-10', 'calls', '350');
  story.advance('2025-02-01');
  const corrects = (date: string, occasion: string, units: string, charged: string) => {
    story.ledger.corrections.push({ contractId: story.id(), periodIdx: 1, slug: 'calls', units, charged, occasion });
    story.does(date, planCorrections);
  };
  corrects('2025-02-05', 'one', '199', '11.80');
  expect(since(story, 2)).toEqual([]);
  story.advance('2025-03-01');
  expect(since(story, 2)).toEqual(['2025-03-01 44.10: usage feature:calls 0.00, plan 50.00, correction feature:calls -5.90']);
  cancels(story, '2025-03-02', { type: 'now' });
  corrects('2025-03-05', 'two', '99', '5.90');
  expect(since(story, 3)).toEqual(['2025-03-05 0.00: correction feature:calls -2.95, wallet 2.95']);
});

test.each([
  ['a date, moved by each freeze: 15, 20, then 22 June', { activation: '2025-06-15' }, ['2025-06-15', '2025-06-20', '2025-06-22']],
  ['the end of the cycle: 1, 6, then 8 July', {}, ['2025-07-01', '2025-07-06', '2025-07-08']],
])('the scheduled contract of a change shows when it begins, after two freezes: %s', (_, words, expected) => {
  const story = signs('2025-06-01', monthly('100'));
  changes(story, '2025-06-02', changeToPlan(monthly('40'), { downgradeAllowed: 'activation' in words, ...words }));
  const next = story.contract().pendingChange?.successorId ?? '';
  const shown = () => timesOf(contractOf(story.ledger, next), story.ledger.pauses).activation;
  const seen = [shown()];
  for (const [from, to] of [
    ['2025-06-12', '2025-06-17'],
    ['2025-06-18', '2025-06-20'],
  ] as const) {
    freezes(story, from);
    unfreezes(story, to);
    seen.push(shown());
  }
  expect(seen).toEqual(expected.map((date) => at(date)));
  story.advance(expected[2] ?? '');
  expect(contractOf(story.ledger, next)).toMatchObject({ status: 'active', activation: at(expected[2] ?? '') });
});
