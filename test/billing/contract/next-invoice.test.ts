import { at } from '../../../billing/calendar/instant.ts';
import { CatchingUp } from '../../../billing/contract/advance/catching-up.ts';
import { type CancelRequest, planCancellation } from '../../../billing/contract/change/cancel.ts';
import { estimateCancel } from '../../../billing/contract/estimate/cancel-estimate.ts';
import { searchNextInvoices } from '../../../billing/contract/estimate/next-invoice.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { chainAhead, finished, snapshotAhead } from '../../support-billing/chain-ahead.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { countingIds } from '../../support-billing/ledger.ts';
import { day, type Story, signs } from '../../support-billing/story.ts';

const calls = (amount: string) => ({ calls: usagePrice(amount) });

/** The next invoices as `date total: names`, null for none. */
function foreseen(story: Story, now: string, looks?: Record<string, string>): string[] | null {
  const planned = new Map(Object.entries(looks ?? {}).map(([id, instant]) => [id, at(instant)]));
  const next = finished(searchNextInvoices(chainAhead(story.ledger, at(now)), at(now), countingIds(), planned));
  if (next === null) return null;
  return next.invoices.map(({ invoice, lines }) => `${day(next.at)} ${invoice.total}: ${lines.map(({ source }) => source).join(', ')}`);
}

function cancels(story: Story, now: string, request: Partial<CancelRequest> = {}) {
  const whole: CancelRequest = { when: { type: 'now' }, credit: false, notes: null, ...request };
  const own = snapshotAhead(story.ledger, story.id(), at(now));
  const before = [...story.ledger.contracts.keys()].filter((id) => id !== story.id());
  const earlier = before.map((id) => snapshotAhead(story.ledger, id, at(now)));
  const estimate = finished(estimateCancel(own, whole, at(now), countingIds(), { earlier }));
  const { credit, usage, total, invoices } = estimate;
  return { at: estimate.at && day(estimate.at), credit, usage, total, dates: invoices.map(({ invoice }) => day(invoice.date)) };
}

describe('the next invoice', () => {
  test('has the usage so far and the next month: 3.00 and 100.00 on 1 February', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '100', features: calls('0.5') }));
    story.uses('2025-01-10', 'calls', '6');
    expect(foreseen(story, '2025-01-15')).toEqual(['2025-02-01 103.00: feature:calls, plan']);
  });

  test('of a contract in its free trial of 14 days comes at the end of the trial, for the plan it changes to on the way', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '100', trialDays: 14 }));
    changes(story, '2025-01-02', changeToPlan(planOffer('max', { price: '300' }), { activation: '2025-01-05' }));
    expect(foreseen(story, '2025-01-03')).toEqual(['2025-01-15 300.00: plan']);
  });

  test('before a downgrade at the boundary is the old contract’s usage; the new plan stands beside it', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '100', features: calls('0.5') }));
    changes(story, '2025-01-10', changeToPlan(planOffer('basic', { price: '40', features: calls('0.7') })));
    story.uses('2025-01-12', 'calls', '6');
    expect(foreseen(story, '2025-01-15')).toEqual(['2025-02-01 3.00: feature:calls', '2025-02-01 40.00: plan']);
  });

  test.each([
    { what: 'now', look: '2025-01-15', next: '2025-01-15 130.00: feature:calls' },
    { what: 'on 20 January, with the end of a freeze', look: '2025-01-20', next: '2025-01-20 130.00: feature:calls' },
    { what: 'at the boundary, which charges it itself', look: '2025-02-01', next: '2025-02-01 230.00: feature:calls, plan' },
  ])('is an early one of 130.00 where the threshold of 100.00 is to be looked at $what', ({ look, next }) => {
    const offer = planOffer('pro', { price: '100', features: calls('1') });
    const story = signs('2025-01-01', offer, { configuration: { invoiceThreshold: '100.00' } });
    story.uses('2025-01-10', 'calls', '130');
    expect(foreseen(story, '2025-01-15', { [story.id()]: look })).toEqual([next]);
  });

  test('is no early one where a look finds 99.00 of 100.00', () => {
    const offer = planOffer('pro', { price: '100', features: calls('1') });
    const story = signs('2025-01-01', offer, { configuration: { invoiceThreshold: '100.00' } });
    story.uses('2025-01-10', 'calls', '99');
    expect(foreseen(story, '2025-01-15', { [story.id()]: '2025-01-15' })).toEqual(['2025-02-01 199.00: feature:calls, plan']);
  });

  test('is the early one also where only a caller closes the usage period', () => {
    const offer = planOffer('pro', { features: calls('1') });
    const manual = { invoiceThreshold: '100.00', usagePeriodClosingPolicy: 'manual' as const };
    const story = signs('2025-01-01', offer, { configuration: manual });
    story.uses('2025-01-10', 'calls', '130');
    expect(foreseen(story, '2025-01-15', { [story.id()]: '2025-02-10' })).toEqual(['2025-02-10 130.00: feature:calls']);
  });

  test('counts calls before a change of 16 January at the old price, also where both plans charge nothing but usage', () => {
    const usageOnly = (slug: string, amount: string) => planOffer(slug, { features: calls(amount) });
    const story = signs('2025-01-01', usageOnly('pro', '0.5'), { configuration: { usagePeriodClosingPolicy: '1 day' } });
    changes(story, '2025-01-10', changeToPlan(usageOnly('max', '0.7'), { activation: '2025-01-16', downgradeAllowed: true }));
    story.uses('2025-01-12', 'calls', '6');
    expect(foreseen(story, '2025-01-15')).toEqual(['2025-01-17 3.00: feature:calls']);
  });

  test('of usage that waits a day for its closing isn’t moved by a change at the boundary', () => {
    const story = signs('2025-01-01', planOffer('pro', { features: calls('0.5') }), {
      configuration: { usagePeriodClosingPolicy: '1 day' },
    });
    story.uses('2025-01-31T23:00', 'calls', '6');
    changes(story, '2025-02-01T06:00', changeToPlan(planOffer('max', { features: calls('0.7') }), { activation: '2025-02-01T12:00' }));
    expect(foreseen(story, '2025-02-01T07:00')).toEqual(['2025-02-02 3.00: feature:calls']);
    expect(cancels(story, '2025-02-01T07:00', { when: { type: 'date', date: at('2025-02-03') } })).toMatchObject({
      usage: '0.00',
      dates: [],
    });
  });

  test.each([
    ['whose lines wait for a call', { price: '100' }, { invoiceTrigger: 'manual' as const }],
    ['by usage alone that nobody uses', { features: calls('0.5') }, {}],
    ['whose usage a caller closes', { features: calls('0.5') }, { usagePeriodClosingPolicy: 'manual' as const }],
    ['for once', { price: '100', cycle: 'once' as const }, {}],
  ])('of a contract %s is none', (_, offer, configuration) => {
    const story = signs('2025-01-01', planOffer('pro', offer), { configuration });
    if ('features' in offer && 'usagePeriodClosingPolicy' in configuration) story.uses('2025-01-10', 'calls', '6');
    expect(foreseen(story, '2025-01-15')).toBeNull();
  });

  test('of usage that is free for 3 cycles, with a fee of 2.00, comes after the fourth', () => {
    const free = { ...usagePrice('0.5', { flatFee: '2' }), freeCycles: 3 };
    const story = signs('2025-01-01', planOffer('pro', { features: { calls: free } }));
    story.advance('2025-01-15');
    expect(foreseen(story, '2025-01-15')?.[0]).toMatch(/ 2\.00: feature:calls$/);
  });

  test('that is due and not written is the next one, however late', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '1', cycle: 'day' }));
    expect(foreseen(story, '2025-04-01')).toEqual(['2025-01-02 1.00: plan']);
  });

  test('of a contract with 90 idle days undone isn’t known before they are done', () => {
    const story = signs('2025-01-01', planOffer('pro', { features: { ...calls('0.5'), base: ['year', price('9')] }, cycle: 'day' }));
    expect(() => foreseen(story, '2025-04-01')).toThrow(CatchingUp);
  });
});

describe('a cancellation', () => {
  const configuration = { usagePeriodClosingPolicy: '1 day' as const };

  test('now gives back half of June, and its usage closes a day later', () => {
    const story = signs('2025-06-01', planOffer('pro', { price: '100', features: calls('0.5') }), { configuration });
    story.uses('2025-06-10', 'calls', '6');
    expect(cancels(story, '2025-06-16', { credit: true })).toEqual({
      at: '2025-06-16',
      credit: '50.00',
      usage: '3.00',
      total: '3.00',
      dates: ['2025-06-16', '2025-06-17'],
    });
  });

  test('dated after a downgrade ends the contract that follows, and gives back what that one charges', () => {
    const story = signs('2025-06-01', planOffer('pro', { price: '100' }));
    changes(story, '2025-06-10', changeToPlan(planOffer('basic', { price: '31' })));
    const request = { when: { type: 'date' as const, date: at('2025-08-11') }, credit: true };
    expect(cancels(story, '2025-06-12', request)).toMatchObject({ at: '2025-08-11', credit: '21.00', dates: ['2025-08-11'] });
  });

  test('for the end of the cycle is dropped by a change to a plan for once: no end, nothing to pay', () => {
    const story = signs('2025-06-01', planOffer('pro', { price: '100' }));
    changes(
      story,
      '2025-06-10',
      changeToPlan(planOffer('once', { price: '500', cycle: 'once' }), { activation: '2025-06-20', downgradeAllowed: true }),
    );
    expect(cancels(story, '2025-06-12', { when: { type: 'end_of_cycle' } })).toMatchObject({ at: null, total: '0.00' });
  });

  test('of usage that a caller closes counts all periods that wait: 3.00 of January and 1.00 of February, on no invoice', () => {
    const story = signs('2025-01-01', planOffer('pro', { features: calls('0.5') }), {
      configuration: { usagePeriodClosingPolicy: 'manual' },
    });
    story.uses('2025-01-10', 'calls', '6');
    story.advance('2025-02-10');
    story.uses('2025-02-10', 'calls', '2');
    expect(cancels(story, '2025-02-12', { when: { type: 'end_of_cycle' } })).toMatchObject({ usage: '4.00', total: '0.00', dates: [] });
  });

  test.each([
    ['a day later, 3.00', { usagePeriodClosingPolicy: '1 day' }, 'usd', { usage: '3.00', total: '3.00', dates: ['2025-07-02'] }],
    ['when a caller asks, 3.00', { usagePeriodClosingPolicy: 'manual' }, 'usd', { usage: '3.00', total: '0.00', dates: [] }],
    ['in another currency, 0.00', { usagePeriodClosingPolicy: '1 day' }, 'eur', { usage: '0.00', total: '0.00', dates: [] }],
  ] as const)('counts usage of the contract before a change of this day, charged %s', (_, policy, currency, expected) => {
    const story = signs('2025-06-01', planOffer('pro', { features: calls('0.5') }), { configuration: policy });
    story.uses('2025-06-10', 'calls', '6');
    changes(story, '2025-06-16', changeToPlan(planOffer('max', { price: '300', currency }), { activation: 'next_cycle' }));
    story.advance('2025-07-01T01:00');
    expect(cancels(story, '2025-07-01T02:00')).toMatchObject(expected);
    const later = { when: { type: 'date' as const, date: at('2025-07-03') } };
    expect(cancels(story, '2025-07-01T02:00', later)).toMatchObject({ total: '0.00', dates: [] });
  });

  test('more than 10,000 days ahead is refused, as is one of a contract that has ended', () => {
    const story = signs('2025-01-01', planOffer('pro', { price: '1', cycle: 'day' }));
    expect(() => cancels(story, '2025-01-01', { when: { type: 'date', date: at('2060-01-01') } })).toThrow('at most 10000 cycles');
    story.does('2025-01-01', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
    );
    expect(() => cancels(story, '2025-01-01', {})).toThrow();
  });
});
