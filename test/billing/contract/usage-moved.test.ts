import { at } from '../../../billing/calendar/instant.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import type { UsageHandover } from '../../../billing/contract/types.ts';
import { usesAhead } from '../../support-billing/ahead.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { invoicesOf, periodsOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';

// What becomes of reported usage when a contract moves: counters, periods, and whose usage it is.

const metered = (slug: string, call: string, amount = '30', cycle: 'month' | 'year' = 'month') =>
  planOffer(slug, { price: amount, cycle, features: { calls: usagePrice(call) } });

function handover(date: string, request: Parameters<typeof changes>[2], signed = metered('pro', '1'), words: SignWords = {}) {
  const story = signs('2025-06-01', signed, words);
  const { outcome } = changes(story, date, request);
  const [moved] = outcome.effects.handovers;
  if (moved === undefined) throw new Error('nothing handed over');
  return { story, moved };
}

const shape = ({ after, afterIdx, except, counters }: UsageHandover) => ({ after, afterIdx, except, counters });

test('inside a period the counters go on, in a trial those of the trial; a new cycle has its own', () => {
  const dear = changeToPlan(metered('max', '2', '60'));
  const after = at('2025-06-16');
  expect(shape(handover('2025-06-16', dear).moved)).toEqual({ after, afterIdx: 1, except: [], counters: { fromIdx: 1, toIdx: 1 } });
  const inTrial = { after, afterIdx: 0, except: [], counters: { fromIdx: 0, toIdx: 0 } };
  expect(shape(handover('2025-06-16', dear, metered('pro', '1'), { trialDays: 20 }).moved)).toEqual(inTrial);
  const yearly = changeToPlan(metered('year', '2', '900', 'year'));
  expect(shape(handover('2025-06-16', yearly, metered('pro', '1'), { trialDays: 20 }).moved)).toEqual(inTrial);
  const { moved, story } = handover('2025-06-16', yearly);
  expect(shape(moved)).toEqual({ after, afterIdx: 1, except: [], counters: null });
  expect([...story.ledger.periods.values()].map(({ goesOn, follows }) => [goesOn, follows])).toEqual([
    [[], null],
    [[], null],
  ]);
});

test('a trial of 20 days changed to a yearly plan goes on as one usage period', () => {
  const { story } = handover('2025-06-16', changeToPlan(metered('year', '2', '900', 'year')), metered('pro', '1'), { trialDays: 20 });
  expect([...story.ledger.periods.values()].map(({ idx, status, goesOn, follows }) => [idx, status, goesOn, follows?.idx])).toEqual([
    [0, 'closed', ['feature:calls'], undefined],
    [0, 'open', [], 0],
  ]);
});

test('only slugs of which units are reported can stay: neither the plan’s own units nor a flat feature', () => {
  const before = planOffer('before', { price: seats('5', '1'), features: { support: price('3'), calls: usagePrice('1') } });
  const { moved } = handover(
    '2025-06-16',
    changeToPlan(planOffer('after', { price: null, features: { calls: usagePrice('1') } }), { downgradeAllowed: true }),
    before,
  );
  expect(moved.except).toEqual([]);
  const plain = handover('2025-06-16', changeToPlan(planOffer('plain', { price: '90' })), before);
  expect(plain.moved.except).toEqual(['calls']);
});

test('calls at the same price go on, mails at another are charged at the change: 3 × 0.10, then 12 × 1 and 4 × 0.20', () => {
  const two = (slug: string, mail: string, amount: string) =>
    planOffer(slug, { price: amount, features: { calls: usagePrice('1'), mails: usagePrice(mail) } });
  const story = signs('2025-06-01', two('pro', '0.10', '30'));
  story.uses('2025-06-10', 'calls', '5');
  story.uses('2025-06-10', 'mails', '3');
  changes(story, '2025-06-16', changeToPlan(two('max', '0.20', '60')));
  expect([...story.ledger.periods.values()][0]?.goesOn).toEqual(['feature:calls']);
  story.uses('2025-06-20', 'calls', '7');
  story.uses('2025-06-20', 'mails', '4');
  story.advance('2025-07-01');
  expect(invoicesOf(story).slice(1)).toEqual([
    '2025-06-16 0.30: usage feature:mails 0.30',
    '2025-06-16 15.00: credit plan -15.00, plan 30.00',
    '2025-07-01 72.80: usage feature:calls 12.00, usage feature:mails 0.80, plan 60.00',
  ]);
});

test('a period that goes on whole ends without a closing of its own; a dated change comes before the closing it brings', () => {
  const types = (story: Story) => story.ledger.events.map(({ type }) => type).slice(1);
  const seated = (call: string) => planOffer(`s${call}`, { price: '30', features: { seats: seats('5', '1'), calls: usagePrice(call) } });
  const goesOn = handover('2025-06-16', toUnits({ seats: '2' }), seated('1')).story;
  expect(types(goesOn)).toEqual(['v1.contract.change.completed']);
  const dated = signs('2025-06-01', seated('1'));
  changes(dated, '2025-06-05', changeToPlan(seated('2'), { activation: '2025-06-16' }));
  dated.advance('2025-06-16');
  expect(types(dated)).toEqual(['v1.contract.change.scheduled', 'v1.contract.change.completed', 'v1.usage_period.closed']);
});

test('a period closed by hand has no row to end, and its counter goes on: 4.00, then 3.00', () => {
  const seated = planOffer('s', { price: '30', features: { seats: seats('5', '1'), calls: usagePrice('1') } });
  const story = signs('2025-06-01', seated);
  story.uses('2025-06-05', 'calls', '4');
  story.does('2025-06-10', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
  changes(story, '2025-06-16', toUnits({ seats: '2' }));
  story.uses('2025-06-17', 'calls', '3');
  story.advance('2025-07-01');
  expect([...story.ledger.lines.values()].filter(({ kind }) => kind === 'usage').map(({ totalIncludingTax }) => totalIncludingTax)).toEqual(
    ['4.00', '3.00'],
  );
});

test('4 calls reported ahead of a change at the boundary are the new contract’s alone; the old one’s row for them goes', () => {
  const story = signs('2025-06-01', metered('pro', '2', '100'));
  const first = story.id();
  story.uses('2025-06-10', 'calls', '3');
  changes(story, '2025-06-20', changeToPlan(metered('less', '1', '40')));
  story.advance('2025-06-30T23:50');
  usesAhead(story, '2025-07-01T00:10', '4');
  story.advance('2025-08-01');
  expect(invoicesOf(story).slice(1)).toEqual([
    '2025-07-01 6.00: usage feature:calls 6.00',
    '2025-07-01 40.00: plan 40.00',
    '2025-08-01 44.00: usage feature:calls 4.00, plan 40.00',
  ]);
  expect(story.ledger.periods.get(`${first}/2`)).toMatchObject({
    from: at('2025-07-01'),
    until: at('2025-07-01'),
    closesAt: at('2025-07-01'),
    closedAt: at('2025-07-01'),
    status: 'closed',
  });
  expect(periodsOf(story).filter((one) => one.includes('closed'))).toHaveLength(3);
});

test('the same where June’s usage waits for a day: the row for July goes, June’s 6.00 come on 2 July', () => {
  const story = signs('2025-06-01', metered('pro', '2', '100'), { configuration: { usagePeriodClosingPolicy: '1 day' } });
  const first = story.id();
  story.uses('2025-06-10', 'calls', '3');
  changes(story, '2025-06-20', changeToPlan(metered('less', '1', '40')));
  story.advance('2025-06-30T23:50');
  usesAhead(story, '2025-07-01T00:10', '4');
  story.advance('2025-07-01');
  expect(story.ledger.periods.get(`${first}/2`)).toMatchObject({ status: 'closed', closedAt: at('2025-07-01') });
  story.advance('2025-08-02');
  expect(invoicesOf(story).slice(1)).toEqual([
    '2025-07-01 40.00: plan 40.00',
    '2025-07-02 6.00: usage feature:calls 6.00',
    '2025-08-01 40.00: plan 40.00',
    '2025-08-02 4.00: usage feature:calls 4.00',
  ]);
});

test('manual: the fee of 30 of May waits whole beside the half of June’s, 45.00 in an estimate', () => {
  const fee = (slug: string, flatFee: string) => planOffer(slug, { price: '30', features: { calls: usagePrice('1', { flatFee }) } });
  const story = signs('2025-05-01', fee('pro', '30'), { configuration: { usagePeriodClosingPolicy: 'manual' } });
  story.advance('2025-06-02');
  const { remainsToPay } = changes(story, '2025-06-16', changeToPlan(fee('max', '60')));
  expect(remainsToPay.map(({ invoice }) => invoice.total)).toEqual(['45.00']);
});
