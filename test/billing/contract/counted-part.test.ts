import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import { usageOf } from '../../../billing/contract/charge/usage-view.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { ContractSnapshot } from '../../../billing/contract/types.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { contractOf, snapshotOf } from '../../support-billing/ledger.ts';
import { invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

const tiered = (mode: 'graduated' | 'volume', ...tiers: [string | null, string, string?][]): Price =>
  price('0', {
    kind: 'usage_tiered',
    unitName: 'call',
    minimumUnits: null,
    maximumUnits: null,
    batchSize: null,
    flatFee: null,
    tierMode: mode,
    tiers: tiers.map(([upTo, unitPrice, flatFee]) => ({ upTo, unitPrice, flatFee: flatFee ?? null })),
  });
const metered = (slug: string, calls: Price, amount = '30'): Offer => planOffer(slug, { price: amount, features: { calls } });
const june = (calls: Price, words: SignWords = {}): Story => signs('2025-06-01', metered('pro', calls), words);
const usageLines = ({ ledger }: Story): string[] =>
  [...ledger.lines.values()].filter(({ kind }) => kind === 'usage').map(({ subtotal }) => subtotal);
const manual: SignWords = { configuration: { usagePeriodClosingPolicy: 'manual' } };
const volume = (amount: string, fee: string): Price => tiered('volume', [null, amount, fee]);

describe('what a later part owes of tiers’ fees', () => {
  test('an unused part of 15 days was charged its fee of 10: of 50 the next one owes 40', () => {
    const story = june(volume('1', '10'));
    changes(story, '2025-06-16', changeToPlan(metered('max', volume('2', '50'), '60')));
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['10.00', '40.00']);
  });

  test('an unused part without length was charged none: the first tier’s 7 is still due', () => {
    const fees = (amount: string) => tiered('graduated', ['100', amount, '7'], [null, amount]);
    const story = june(fees('1'));
    changes(story, '2025-06-01', changeToPlan(metered('max', fees('2'), '60')));
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['0.00', '7.00']);
  });

  test('an unused part of 15 days was charged the first tier’s 7, so no later one owes it', () => {
    const fees = (amount: string) => tiered('graduated', ['100', amount, '7'], [null, amount]);
    const story = june(fees('1'));
    changes(story, '2025-06-16', changeToPlan(metered('max', fees('2'), '60')));
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['7.00', '0.00']);
  });

  test('the contract’s own free cycles free no usage: 5 calls and 10, then 30 less 10', () => {
    const story = june(volume('1', '10'), { freeCycles: 1 });
    story.uses('2025-06-10', 'calls', '5');
    changes(story, '2025-06-16', changeToPlan(metered('max', volume('1', '30'), '60')));
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['15.00', '20.00']);
  });
});

test('units reported of a bought price count on to a usage price: 900 and 200, of which 1,000 are free', () => {
  const limited = usagePrice('0', { maximum: '1000' });
  const over: Price =
    limited.strategy.kind === 'usage' ? { ...limited, strategy: { ...limited.strategy, overUsagePrice: '0.02' } } : limited;
  const story = june(seats('5', '1'));
  story.uses('2025-06-10', 'calls', '900');
  changes(story, '2025-06-16', changeToPlan(metered('max', over, '60')));
  story.uses('2025-06-20', 'calls', '200');
  story.advance('2025-07-01');
  expect(usageLines(story)).toEqual(['2.00']);
});

describe('a period that waits beside the next one', () => {
  test('July counts only its own 7 calls while June still waits with 5 and 4 from around a change', () => {
    const story = signs(
      '2025-06-01',
      planOffer('pro', { price: '30', features: { seats: seats('5', '1'), calls: usagePrice('1') } }),
      manual,
    );
    story.uses('2025-06-10', 'calls', '5');
    changes(story, '2025-06-16', toUnits({ seats: '2' }));
    story.uses('2025-06-17', 'calls', '4');
    story.advance('2025-07-01');
    story.uses('2025-07-02', 'calls', '7');
    for (const idx of [2, 1]) story.does('2025-08-01', (snapshot, now, newId) => planUsageClosing(snapshot, idx, now, newId));
    expect(usageLines(story)).toEqual(['7.00', '9.00']);
  });
});

describe('closing by hand', () => {
  const refused = (story: Story, idx: number, date: string): string => {
    try {
      story.does(date, (snapshot, now, newId) => planUsageClosing(snapshot, idx, now, newId));
      return 'done';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  test('the period of a trial that has ended is closed; without a trial there is none', () => {
    const story = june(usagePrice('1'), { ...manual, trialDays: 10 });
    expect(refused(story, 1, '2025-06-05')).toBe('usage_period_not_found');
    expect(refused(story, 0, '2025-06-20')).toBe('usage_period_closed');
    expect(refused(june(usagePrice('1'), manual), 0, '2025-06-20')).toBe('usage_period_not_found');
  });

  test.each([
    ['days later', '2025-06-16', '2025-06-21', ['30.00', '20.00', '5.00']],
    ['at the instant of the closing', '2025-06-11', '2025-06-11', ['30.00', '0.00', '5.00']],
  ])(
    'has charged the fee of 30 to the end of June: a change to another fee and back to it %s charges it no second time',
    (_when, there, back, lines) => {
      const fee = (flatFee: string) => usagePrice('1', { flatFee });
      const story = june(fee('30'));
      expect(refused(story, 1, '2025-06-11')).toBe('done');
      changes(story, there, changeToPlan(metered('max', fee('120'), '60')));
      changes(story, back, changeToPlan(metered('team', fee('30'), '90'), { downgradeAllowed: true }));
      story.uses('2025-06-25', 'calls', '5');
      story.advance('2025-07-02');
      expect(usageLines(story)).toEqual(lines);
    },
  );

  test.each([
    ['in the time that the freeze has added', '2025-07-04', ['30.00', '8.00', '0.00']],
    ['at the end it had before the freeze', '2025-07-01', ['30.00', '20.00', '0.00']],
  ])('before a freeze has charged the fee of that period too: changed %s and back, it is charged no second time', (_when, there, lines) => {
    const fee = (flatFee: string) => usagePrice('1', { flatFee });
    const story = june(fee('30'));
    expect(refused(story, 1, '2025-06-11')).toBe('done');
    freeze(story, at('2025-06-20'));
    unfreeze(story, at('2025-06-30'));
    changes(story, there, changeToPlan(metered('max', fee('120'), '60')));
    changes(story, '2025-07-06', changeToPlan(metered('team', fee('30'), '90'), { downgradeAllowed: true }));
    story.advance('2025-07-12');
    expect(usageLines(story)).toEqual(lines);
  });
});

describe('usage as it is shown', () => {
  const shown = (snapshot: ContractSnapshot, contractId: string, idx: number, story: Story) => {
    const period = story.ledger.periods.get(`${contractId}/${idx}`);
    if (!period) throw new Error('no period');
    const contract = contractOf(story.ledger, contractId);
    return usageOf({ contract, period, usage: snapshot.usage }, [], story.ledger.pauses).map(({ slug, unitsUsed, amount }) => [
      slug,
      unitsUsed,
      amount,
    ]);
  };

  test('what goes on in the next contract is shown there alone', () => {
    const two = (mail: string, amount: string) =>
      planOffer(`two${amount}`, { price: amount, features: { calls: usagePrice('1'), mails: usagePrice(mail) } });
    const story = signs('2025-06-01', two('0.10', '30'));
    const first = story.id();
    story.uses('2025-06-10', 'calls', '5');
    story.uses('2025-06-10', 'mails', '3');
    changes(story, '2025-06-16', changeToPlan(two('0.20', '60')));
    const snapshot = snapshotOf(story.ledger, first, at('2025-06-17'));
    expect(shown(snapshot, first, 1, story)).toEqual([['mails', '3', '0.30']]);
  });

  test('of a contract that has ended the period costs what it cost: 4.00', () => {
    const story = june(usagePrice('1'));
    story.uses('2025-06-10', 'calls', '4');
    const id = story.id();
    story.does('2025-06-16', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
    );
    expect(shown(snapshotOf(story.ledger, id, at('2025-06-17')), id, 1, story)).toEqual([['calls', '4', '4.00']]);
  });

  test('the trial of a contract without cycles, long ended, cost nothing', () => {
    const constant = planOffer('c', {
      price: '30',
      cycle: 'constant',
      trialDays: 10,
      features: { calls: usagePrice('1', { flatFee: '9' }) },
    });
    const story = signs('2025-06-01', constant);
    story.uses('2025-06-05', 'calls', '4');
    story.advance('2025-06-20');
    expect(shown(snapshotOf(story.ledger, story.id(), at('2025-06-20')), story.id(), 0, story)).toEqual([['calls', '4', '0.00']]);
  });

  test('free cycles of the contract free no usage: 4.00', () => {
    const story = june(usagePrice('1'), { freeCycles: 3 });
    story.uses('2025-06-10', 'calls', '4');
    expect(shown(snapshotOf(story.ledger, story.id(), at('2025-06-17')), story.id(), 1, story)).toEqual([['calls', '4', '4.00']]);
  });
});

describe('corrections that wait', () => {
  const noted = (story: Story, units: string) =>
    void story.ledger.corrections.push({ contractId: story.id(), periodIdx: 1, slug: 'calls', units, charged: '4.00', occasion: 'late' });
  const closedMay = (): Story => {
    const story = signs('2025-05-01', metered('pro', usagePrice('1')), manual);
    story.uses('2025-05-10', 'calls', '4');
    story.does('2025-06-02', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
    return story;
  };

  test('are charged with the end of the contract, though June’s usage waits to be closed: 6 for 4 in May, 2.00', () => {
    const story = closedMay();
    noted(story, '6');
    story.does('2025-06-16', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
    );
    expect(invoicesOf(story).at(-1)).toBe('2025-06-16 2.00: correction feature:calls 2.00');
  });

  test('of an ended contract, where nothing had been charged, are done with and the contract is written; without any nothing is', () => {
    const story = june(usagePrice('1'));
    story.does('2025-06-16', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
    );
    const now = at('2025-06-20');
    const snapshot = snapshotOf(story.ledger, story.id(), now);
    expect(planCorrections(snapshot, now, story.newId).effects).toMatchObject({ contracts: [], agenda: [], chargedCorrections: [] });
    const one = { contractId: story.id(), periodIdx: 0, slug: 'calls', units: '3', charged: '0', occasion: 'late', closed: null };
    const { effects } = planCorrections({ ...snapshot, corrections: [one] }, now, story.newId);
    expect(effects).toMatchObject({ contracts: [{ id: story.id() }], lines: [], chargedCorrections: [{ occasion: 'late' }] });
  });
});

test('to a single payment, which has no end: no hours on the new contract; the yearly line comes back whole', () => {
  const supported = planOffer('s', { price: '30', features: { support: ['year', price('365')] } });
  const story = signs('2025-06-01', supported);
  story.does('2025-06-02', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'end_of_cycle' }, credit: false, notes: null }, now, newId),
  );
  const { breakdown } = changes(story, '2025-06-16', changeToPlan(planOffer('once', { price: '500', cycle: 'once' })));
  expect(breakdown).toMatchObject({ timeOnOldContract: { value: 360 }, timeOnNewContract: { value: 0 } });
  expect(invoicesOf(story).at(-1)).toBe('2025-06-16 135.00: credit plan -15.00, credit feature:support -350.00, plan 500.00');
});
