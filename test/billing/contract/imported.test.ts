import { at, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { ImportStanding } from '../../../billing/contract/terms/standing.ts';
import { BillingError } from '../../../billing/problem.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { invoicesOf, type SignWords, type Story, signs, standsAt, waitingOf } from '../../support-billing/story.ts';
import { discountOf } from '../invoice/build.ts';
import { freeze, unfreeze } from './random.ts';

interface Left {
  anchor?: string;
  until?: string;
  custom?: string;
  trial?: string;
  discount?: number;
  free?: number;
  credits?: string;
}

/** Where a contract stands, in dates. */
const standing = ({ anchor, until, custom, trial, discount, free, credits }: Left): ImportStanding =>
  standsAt(anchor ?? null, until ?? null, {
    customBilledUntil: custom === undefined ? null : at(custom),
    trialEnd: trial === undefined ? null : at(trial),
    discountCyclesLeft: discount ?? null,
    freeCyclesLeft: free ?? null,
    creditsLeft: credits ?? null,
  });

const imports = (date: string, offer: Offer, left: Left, words: SignWords = {}) =>
  signs(date, offer, { ...words, standing: standing(left) });

const pro = planOffer('pro', { price: '30' });
const gives = (amount: string): Offer =>
  planOffer(`gives${amount}`, {
    price: amount,
    features: { seats: seats('3', '1') },
    credits: { amount, expiresAfterCycles: 1, rolloverMaximum: null },
  });
const yearly = planOffer('yearly', { price: '365', cycle: 'year' });

describe('a contract that is imported on 10 March', () => {
  const cases: [what: string, offer: Offer, left: Left, words: SignWords, to: string, invoices: string[]][] = [
    [
      'is invoiced first where it is billed to',
      pro,
      { anchor: '2024-06-20', until: '2025-03-20' },
      {},
      '2025-04-19',
      ['2025-03-20 30.00: plan 30.00'],
    ],
    [
      'keeps its 31st',
      pro,
      { anchor: '2024-01-31', until: '2025-03-31' },
      {},
      '2025-05-31',
      ['2025-03-31 30.00: plan 30.00', '2025-04-30 30.00: plan 30.00', '2025-05-31 30.00: plan 30.00'],
    ],
    [
      'of a year waits for its year',
      yearly,
      { anchor: '2023-12-01', until: '2025-12-01' },
      {},
      '2025-12-01',
      ['2025-12-01 365.00: plan 365.00'],
    ],
    [
      'has two cycles of its discount left',
      pro,
      { anchor: '2024-06-20', until: '2025-03-20', discount: 2 },
      { discount: discountOf('percentage', '10') },
      '2025-05-20',
      ['2025-03-20 27.00: plan 27.00', '2025-04-20 27.00: plan 27.00', '2025-05-20 30.00: plan 30.00'],
    ],
    [
      'has one free cycle left',
      pro,
      { anchor: '2025-02-20', until: '2025-03-20', free: 1 },
      {},
      '2025-04-20',
      ['2025-03-20 0.00: plan 0.00', '2025-04-20 30.00: plan 30.00'],
    ],
    [
      'is in its trial',
      pro,
      { trial: '2025-03-14T15:30' },
      {},
      '2025-04-14T15:30',
      ['2025-03-14T15:30Z 30.00: plan 30.00', '2025-04-14T15:30Z 30.00: plan 30.00'],
    ],
    [
      'comes late: what has become due since is made up for, dated at its own instants',
      pro,
      { anchor: '2024-06-20', until: '2025-01-20' },
      {},
      '2025-03-10',
      ['2025-01-20 30.00: plan 30.00', '2025-02-20 30.00: plan 30.00'],
    ],
    [
      'comes late with one discounted cycle left',
      pro,
      { anchor: '2024-06-20', until: '2025-01-20', discount: 1 },
      { discount: discountOf('percentage', '10') },
      '2025-03-10',
      ['2025-01-20 27.00: plan 27.00', '2025-02-20 30.00: plan 30.00'],
    ],
    [
      'is aligned to the 15th',
      pro,
      { anchor: '2025-01-20', until: '2025-03-15' },
      { offset: 14 },
      '2025-04-15',
      ['2025-03-15 30.00: plan 30.00', '2025-04-15 30.00: plan 30.00'],
    ],
    ['was paid for once', planOffer('once', { price: '99', cycle: 'once' }), { anchor: '2025-01-01' }, {}, '2026-01-01', []],
  ];
  it.each(cases)('%s', (_what, offer, left, words, to, invoices) => {
    const story = imports('2025-03-10', offer, left, words);
    story.advance(to);
    expect(invoicesOf(story)).toEqual(invoices);
    expect(waitingOf(story)).toHaveLength(story.ledger.lines.size - story.ledger.invoices.flatMap(({ lineIds }) => lineIds).length);
  });

  it('counts usage from then on, and pays the share of a minimum and a fee from then on', () => {
    const offer = planOffer('calls', { price: '30', features: { calls: usagePrice('0.10', { flatFee: '31' }) } });
    const story = imports('2025-03-11', offer, { anchor: '2025-03-01', until: '2025-04-01' });
    story.uses('2025-03-20', 'calls', '50');
    story.advance('2025-05-01');
    expect(invoicesOf(story)).toEqual([
      '2025-04-01 56.00: usage feature:calls 26.00, plan 30.00',
      '2025-05-01 61.00: usage feature:calls 31.00, plan 30.00',
    ]);
  });

  it('that expires on 21 March leaves the fee from the import on whole: 21 of 31 days, 21.00', () => {
    const offer = planOffer('calls', { price: '30', features: { calls: usagePrice('0.10', { flatFee: '31' }) } });
    const story = imports('2025-03-11', offer, { anchor: '2025-03-01', until: '2025-04-01' }, { expiration: '2025-03-21' });
    story.advance('2025-05-01');
    expect(invoicesOf(story)).toEqual(['2025-03-21 21.00: usage feature:calls 21.00']);
  });

  it('gives back at a change what is unused of the time billed elsewhere, as if it was billed here', () => {
    const offer = planOffer('team', { price: '31', features: { seats: seats('3.10', '2') } });
    const max = planOffer('max', { price: '310' });
    const imported = imports('2025-03-10', offer, { anchor: '2025-03-01', until: '2025-04-01' });
    const own = signs('2025-03-01', offer);
    for (const story of [imported, own]) {
      changes(story, '2025-03-12', toUnits({ seats: '5' }));
      changes(story, '2025-03-22', changeToPlan(max));
      story.advance('2025-04-01');
    }
    expect(invoicesOf(imported)).toEqual(invoicesOf(own).slice(1));
    expect(invoicesOf(imported)[0]).toBe('2025-03-12 6.00: credit feature:seats -4.00, feature:seats 10.00');
  });

  it('gives it back at a cancellation, too', () => {
    const imported = imports('2025-03-10', pro, { anchor: '2025-03-01', until: '2025-04-01' });
    imported.does('2025-03-16T12:00', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
    );
    expect(invoicesOf(imported)).toEqual(['2025-03-16T12:00Z 0.00: credit plan -15.00, wallet 15.00']);
  });

  it('charges month, quarter and year prices from where it is billed to, and what falls due once not again', () => {
    const offer = planOffer('rhythms', {
      price: '30',
      features: { care: ['quarter', price('90')], setup: ['first_cycle', price('500')] },
    });
    const story = imports('2025-03-10', offer, { anchor: '2025-01-20', until: '2025-03-20' });
    story.advance('2025-04-20');
    expect(invoicesOf(story)).toEqual(['2025-03-20 30.00: plan 30.00', '2025-04-20 120.00: plan 30.00, custom feature:care 90.00']);
  });

  it('of a year goes on with its monthly charges where the line says how far they are billed, else after its year', () => {
    const offer = planOffer('care', { price: '365', cycle: 'year', features: { care: ['month', price('9')] } });
    const left = { anchor: '2025-01-20', until: '2026-01-20' };
    const [story, silent] = [imports('2025-03-10', offer, { ...left, custom: '2025-04-20' }), imports('2025-03-10', offer, left)];
    for (const one of [story, silent]) one.advance('2025-05-20');
    expect(invoicesOf(story)).toEqual(['2025-04-20 9.00: custom feature:care 9.00', '2025-05-20 9.00: custom feature:care 9.00']);
    expect(invoicesOf(silent)).toEqual([]);
  });

  it('counts in the MRR from the import on', () => {
    const story = imports('2025-03-10', pro, { anchor: '2025-03-01', until: '2025-04-01' });
    expect(story.ledger.mrr.map(({ at: instant, amount }) => [iso(instant), amount])).toEqual([['2025-03-10T00:00:00.000Z', '30.00']]);
  });
});

describe('credits of the cycle that another system has billed', () => {
  const june = { anchor: '2025-06-01', until: '2025-07-01' };
  const moved = (story: Story): unknown => [
    story.ledger.grants.map(({ amount, expiresAt }) => `${amount} to ${iso(expiresAt ?? 0).slice(0, 10)}`),
    story.ledger.creditsBack.map(({ amount }) => amount),
  ];

  it('that brought none: a change in it gives the whole share of the new ones, as it charges their price', () => {
    const story = imports('2025-06-10', gives('50'), june);
    changes(story, '2025-06-16', changeToPlan(gives('200')));
    expect(moved(story)).toEqual([['100.00 to 2025-07-01'], []]);
  });

  it('that brought none, and a change that is undone at its instant: nothing is left of its 100.00', () => {
    const story = imports('2025-06-10', gives('50'), june);
    changes(story, '2025-06-16', changeToPlan(gives('200')));
    changes(story, '2025-06-16', changeToPlan(gives('50'), { downgradeAllowed: true }));
    expect(moved(story)).toEqual([['100.00 to 2025-07-01'], ['100.00']]);
    changes(story, '2025-06-21', changeToPlan(gives('300')));
    story.advance('2025-07-01');
    expect(moved(story)).toEqual([['100.00 to 2025-07-01', '100.00 to 2025-07-01', '300.00 to 2025-08-01'], ['100.00']]);
  });

  it('that brought none: the one after it brings its own, of which a change of then takes its share', () => {
    const story = imports('2025-06-10', gives('50'), june);
    changes(story, '2025-06-16', toUnits({ seats: '5' }));
    story.advance('2025-07-01');
    changes(story, '2025-07-02', toUnits({ seats: '6' }));
    changes(story, '2025-07-16T12:00', changeToPlan(gives('200')));
    expect(moved(story)).toEqual([['50.00 to 2025-08-01', '75.00 to 2025-08-01'], []]);
  });

  it('that brought none: a cancellation takes none back', () => {
    const story = imports('2025-06-10', gives('50'), june);
    const request = { when: { type: 'now' as const }, credit: true, notes: null };
    story.does('2025-06-16', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    expect(moved(story)).toEqual([[], []]);
  });

  it('of which 20.00 are left live to its end here; a change gives half of 200 less half of 50', () => {
    const story = imports('2025-06-10', gives('50'), { ...june, credits: '20' });
    expect(story.contract().carried).toEqual({ lost: [], goesOn: [], waiting: [] });
    changes(story, '2025-06-16', changeToPlan(gives('200')));
    expect(moved(story)).toEqual([['20.00 to 2025-07-01', '75.00 to 2025-07-01'], []]);
  });

  it('that are used up give nothing: a change gives half of 200 less half of 50', () => {
    const story = imports('2025-06-10', gives('50'), { ...june, credits: '0' });
    changes(story, '2025-06-16', changeToPlan(gives('200')));
    expect(moved(story)).toEqual([['75.00 to 2025-07-01'], []]);
  });

  it('leave the first cycle that is billed here with its own', () => {
    const story = imports('2025-06-10', gives('50'), { anchor: '2025-05-01', until: '2025-06-01' });
    changes(story, '2025-06-16', changeToPlan(gives('200')));
    expect(moved(story)).toEqual([['50.00 to 2025-07-01', '75.00 to 2025-07-01'], []]);
  });
});

describe('what an import refuses', () => {
  const cases: [what: string, offer: Offer, left: Left, fields: Record<string, string>][] = [
    ['no anchor', pro, {}, { anchor: 'required' }],
    ['an anchor ahead', pro, { anchor: '2025-04-01', until: '2025-05-01' }, { anchor: 'future_date' }],
    ['no boundary', pro, { anchor: '2025-01-31', until: '2025-03-28' }, { billed_until: 'no_boundary' }],
    ['nothing to say how far it is billed', pro, { anchor: '2025-01-31' }, { billed_until: 'required' }],
    ['a boundary before the anchor', pro, { anchor: '2025-01-31', until: '2024-12-31' }, { billed_until: 'before_anchor' }],
    ['a cycle that has not begun', pro, { anchor: '2025-01-31', until: '2025-04-30' }, { billed_until: 'not_begun' }],
    [
      'charges billed to the past',
      pro,
      { anchor: '2025-03-01', until: '2025-04-01', custom: '2025-03-09' },
      { custom_billed_until: 'past_date' },
    ],
    [
      'charges billed further ahead than five years',
      pro,
      { anchor: '2025-03-01', until: '2025-04-01', custom: '2030-03-15' },
      { custom_billed_until: 'too_far' },
    ],
    ['a trial that has ended', pro, { trial: '2025-03-10' }, { trial_end: 'past_date' }],
    [
      'charges billed ahead beside the trial',
      pro,
      { trial: '2025-03-20', custom: '2025-07-07' },
      { custom_billed_until: 'not_the_trial_end' },
    ],
    ['an anchor beside the trial', pro, { trial: '2025-03-20', anchor: '2025-03-01' }, { anchor: 'not_the_trial_end' }],
    [
      'discounted cycles without a discount',
      pro,
      { anchor: '2025-03-01', until: '2025-04-01', discount: 2 },
      { discount_cycles_left: 'invalid_count' },
    ],
    ['half a free cycle', pro, { anchor: '2025-03-01', until: '2025-04-01', free: 0.5 }, { free_cycles_left: 'invalid_count' }],
    [
      'credits of a plan that gives none',
      pro,
      { anchor: '2025-03-01', until: '2025-04-01', credits: '1' },
      { credits_left: 'not_allowed' },
    ],
    [
      'credits of a cycle that has ended',
      gives('50'),
      { anchor: '2025-02-01', until: '2025-03-01', credits: '1' },
      { credits_left: 'not_allowed' },
    ],
    ['credits in a trial', gives('50'), { trial: '2025-03-20', credits: '1' }, { credits_left: 'not_allowed' }],
    [
      'more credits than a cycle brings',
      gives('50'),
      { anchor: '2025-03-01', until: '2025-04-01', credits: '50.01' },
      { credits_left: 'too_much' },
    ],
    [
      'a tenth of a cent',
      gives('50'),
      { anchor: '2025-03-01', until: '2025-04-01', credits: '0.001' },
      { credits_left: 'too_many_digits' },
    ],
    [
      'a boundary of one payment',
      planOffer('once', { cycle: 'once' }),
      { anchor: '2025-03-01', until: '2025-04-01' },
      { billed_until: 'not_allowed' },
    ],
  ];
  it.each(cases)('%s', (_what, offer, left, fields) => {
    const problems = problemsOf(() => imports('2025-03-10', offer, left));
    expect(Object.fromEntries(problems.map(({ field, code }) => [field, code]))).toEqual(fields);
  });

  it('names the boundaries beside a wrong one', () => {
    const [problem] = problemsOf(() => imports('2025-03-10', pro, { anchor: '2025-01-31', until: '2025-03-28' }));
    expect(problem?.message).toBe(
      'give 2025-02-28T00:00:00.000Z or 2025-03-31T00:00:00.000Z: the cycles counted from the anchor end there',
    );
  });
});

test('an import with month prices that are paid ahead is frozen: the next of them waits as long as the freeze', () => {
  const offer = planOffer('cared', { price: '365', cycle: 'year', features: { care: ['month', price('10')] } });
  const story = imports('2025-03-10', offer, { anchor: '2025-02-01', until: '2026-02-01', custom: '2025-06-01' });
  freeze(story, at('2025-03-12'));
  unfreeze(story, at('2025-03-22'));
  story.advance('2025-08-01');
  expect(invoicesOf(story)).toEqual(['2025-06-11 10.00: custom feature:care 10.00', '2025-07-11 10.00: custom feature:care 10.00']);
});

function problemsOf(signing: () => unknown): readonly { field: string; code: string; message: string }[] {
  try {
    signing();
  } catch (error) {
    if (error instanceof BillingError) return error.problems;
    throw error;
  }
  throw new Error('nothing was refused');
}
