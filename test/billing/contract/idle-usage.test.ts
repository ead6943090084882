import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import { planOffer, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { invoicesOf, periodsOf, signs, waitingOf } from '../../support-billing/story.ts';

const api = (amount: string | null, calls = usagePrice('1')) => planOffer(`api${amount}`, { price: amount, features: { calls } });

test('an upgrade of a metered plan nobody used makes one invoice, the new contract’s; the estimate shows no other', () => {
  const story = signs('2025-06-01', api('30'));
  const { remainsToPay, breakdown } = changes(story, '2025-06-16', changeToPlan(api('60', usagePrice('2'))));
  expect(remainsToPay).toEqual([]);
  expect(breakdown.usageOldContract).toBe('0.00');
  expect(invoicesOf(story)).toEqual(['2025-06-01 30.00: plan 30.00', '2025-06-16 15.00: credit plan -15.00, plan 30.00']);
  story.advance('2025-07-01');
  expect(invoicesOf(story).slice(2)).toEqual(['2025-07-01 60.00: usage feature:calls 0.00, plan 60.00']);
});

test('months in which nothing but usage is sold and nobody used it make no invoice; the periods close all the same', () => {
  const story = signs('2025-01-01', api(null));
  story.advance('2025-03-15');
  story.uses('2025-03-15', 'calls', '2');
  story.advance('2025-05-01');
  expect(invoicesOf(story)).toEqual(['2025-04-01 2.00: usage feature:calls 2.00']);
  expect(periodsOf(story).map((row) => row.split(' ').at(-1))).toEqual(['closed', 'closed', 'closed', 'closed', 'open']);
});

test.each([
  ['units that cost nothing', usagePrice('0'), '5', '2025-02-01 0.00: usage feature:calls 0.00'],
  ['a minimum that costs nothing', usagePrice('0', { minimum: '10' }), null, '2025-02-01 0.00: usage feature:calls 0.00'],
  ['a fee for no units', usagePrice('1', { flatFee: '3' }), null, '2025-02-01 3.00: usage feature:calls 3.00'],
])('%s are shown on an invoice', (_, calls, units, invoice) => {
  const story = signs('2025-01-01', api(null, calls));
  if (units !== null) story.uses('2025-01-10', 'calls', units);
  story.advance('2025-02-01');
  expect(invoicesOf(story)).toEqual([invoice]);
});

test('two metered features, one of them used: both stand on the invoice', () => {
  const story = signs('2025-01-01', planOffer('two', { features: { calls: usagePrice('1'), texts: usagePrice('1') } }));
  story.uses('2025-01-10', 'texts', '4');
  story.advance('2025-02-01');
  expect(invoicesOf(story)).toEqual(['2025-02-01 4.00: usage feature:calls 0.00, usage feature:texts 4.00']);
});

test('canceled without any usage: no invoice', () => {
  const story = signs('2025-01-01', api(null));
  story.does('2025-01-10', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
  );
  expect(invoicesOf(story)).toEqual([]);
});

test('under manual invoicing the lines wait as they always do', () => {
  const story = signs('2025-01-01', api(null), { configuration: { invoiceTrigger: 'manual' } });
  story.advance('2025-02-01');
  expect(waitingOf(story)).toEqual(['feature:calls 0.00']);
});

test('usage reported later for a month that had none is a correction against nothing', () => {
  const story = signs('2025-01-01', api(null));
  story.advance('2025-02-05');
  story.ledger.corrections.push({
    contractId: story.id(),
    periodIdx: 1,
    slug: 'calls',
    units: '3',
    charged: '0',
    occasion: 'late',
  });
  story.does('2025-02-05', planCorrections);
  story.advance('2025-03-01');
  expect(invoicesOf(story)).toEqual(['2025-03-01 3.00: usage feature:calls 0.00, correction feature:calls 3.00']);
});
