import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { UsagePeriodClosingPolicy } from '../../../billing/contract/types.ts';
import { readDerivation } from '../../../billing/explain/explain-line.ts';
import { recomputeLine } from '../../../billing/explain/recompute.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, estimates, toUnits } from '../../support-billing/changes.ts';
import { snapshotOf, write } from '../../support-billing/ledger.ts';
import { invoicesOf, periodsOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';
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
const over = (maximum: string, overUsagePrice: string, amount = '0'): Price => {
  const one = usagePrice(amount, { maximum });
  return one.strategy.kind === 'usage' ? { ...one, strategy: { ...one.strategy, overUsagePrice } } : one;
};
const metered = (slug: string, calls: Price, amount = '30'): Offer =>
  planOffer(slug, { price: amount, features: { seats: seats('5', '1'), calls } });

/** Usage lines and their corrections, as `date subtotal (units of events, from count)`, those of all contracts. */
const usageLines = ({ ledger }: Story): string[] =>
  [...ledger.lines.values()]
    .filter(({ kind }) => kind === 'usage' || kind === 'correction')
    .map((line) => {
      const derivation = readDerivation(line.derivation);
      expect(recomputeLine(derivation).subtotal).toBe(line.subtotal);
      return line.subtotal;
    });
const june = (calls: Price, words: SignWords = {}): Story => signs('2025-06-01', metered('pro', calls), words);
const closing = (usagePeriodClosingPolicy: UsagePeriodClosingPolicy): SignWords => ({ configuration: { usagePeriodClosingPolicy } });
const addsSeat = (story: Story, date: string, count = '2') => changes(story, date, toUnits({ seats: count }));

const free = over('1000', '0.02');
const graduated = tiered('graduated', ['1000', '0.10'], [null, '0.01']);
const falling = tiered('graduated', ['1500', '0.01'], [null, '0.005']);

describe('at the same price the usage period goes on in the new contract', () => {
  test.each([
    ['1,000 free, then 0.02: 1,000 and 1,000', free, '1000', '1000', '20.00'],
    ['graduated 0.10 to 1,000, then 0.01: 1,000 and 1,000', graduated, '1000', '1000', '110.00'],
    ['0.01 in packs of 1,000: 100 and 100', usagePrice('0.01', { batch: 1000 }), '100', '100', '10.00'],
    ['a minimum of 100 at 1 and a fee of 10, unused', usagePrice('1', { minimum: '100', flatFee: '10' }), '0', '0', '110.00'],
    ['volume 0.10 to 1,000, then 0.01: 1,000 and 1,000', tiered('volume', ['1000', '0.10'], [null, '0.01']), '1000', '1000', '20.00'],
  ])('%s calls around a seat added on 16 June', (_, calls, before, after, expected) => {
    const story = june(calls);
    story.uses('2025-06-10', 'calls', before);
    const { remainsToPay, breakdown } = addsSeat(story, '2025-06-16');
    expect(remainsToPay).toEqual([]);
    expect(breakdown).toMatchObject({ usageOldContract: '0.00', oldContract: { usage: '0.00' }, total: '2.50' });
    expect(usageLines(story)).toEqual([]);
    story.uses('2025-06-20', 'calls', after);
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual([expected]);
    const [line] = [...story.ledger.lines.values()].filter(({ kind }) => kind === 'usage');
    expect(line).toMatchObject({ contractId: story.id(), span: { start: at('2025-06-01'), end: at('2025-07-01') } });
  });

  test('so it does to another plan with the same price of calls, and through seven changes of seats: 110.00', () => {
    const story = june(graduated);
    const dates = ['2025-06-02', '2025-06-05', '2025-06-05', '2025-06-11', '2025-06-16T10:17', '2025-06-20', '2025-06-29'];
    for (const [index, date] of dates.entries()) {
      story.uses(date, 'calls', '250');
      if (index === 3) changes(story, date, changeToPlan(metered('max', graduated, '60')));
      else addsSeat(story, date, String(index + 2));
    }
    story.uses('2025-06-30', 'calls', '250');
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['110.00']);
    expect(periodsOf(story).filter((one) => one.includes('closed'))).toHaveLength(8);
  });

  test('canceled on 21 June, it is charged once, minimum and fee for 20 of 30 days', () => {
    const story = june(usagePrice('1', { minimum: '30', flatFee: '9' }));
    story.uses('2025-06-10', 'calls', '5');
    addsSeat(story, '2025-06-11');
    story.uses('2025-06-12', 'calls', '5');
    story.does('2025-06-21', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
    );
    expect(usageLines(story)).toEqual(['26.00']);
  });

  test('a freeze of ten days after the change moves the end and leaves minimum and fee whole', () => {
    const story = june(usagePrice('1', { minimum: '30', flatFee: '9' }));
    addsSeat(story, '2025-06-11');
    freeze(story, at('2025-06-15'));
    unfreeze(story, at('2025-06-25'));
    story.advance('2025-07-11');
    expect(usageLines(story)).toEqual(['39.00']);
  });

  test('closed by hand on the new contract it holds the units of both, 7 in all', () => {
    const story = june(usagePrice('1'), closing('manual'));
    story.uses('2025-06-10', 'calls', '3');
    addsSeat(story, '2025-06-16');
    story.uses('2025-06-17', 'calls', '4');
    story.does('2025-06-18', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
    expect(usageLines(story)).toEqual(['7.00']);
    expect(() => story.usesThen('2025-06-10', 'calls', '1')).toThrow(expect.objectContaining({ code: 'usage_period_closed' }));
  });

  test.each<UsagePeriodClosingPolicy>(['automatic', '1 hour', '1 day', 'manual'])(
    '%s: usage of the day before, reported after, counts',
    (policy) => {
      const story = june(usagePrice('1'), closing(policy));
      addsSeat(story, '2025-06-16');
      story.usesThen('2025-06-15', 'calls', '1000');
      story.advance('2025-07-02');
      if (policy === 'manual') story.does('2025-07-02', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
      expect(usageLines(story)[0]).toBe('1000.00');
    },
  );

  test('a marker means 30 for the whole period, whichever side of the change it is on, and 4 more: 34', () => {
    for (const marks of ['2025-06-10', '2025-06-20']) {
      const story = june(usagePrice('1'), closing('1 day'));
      story.uses('2025-06-05', 'calls', '100');
      addsSeat(story, '2025-06-16');
      story.usesThen(marks, 'calls', '30', true);
      story.uses('2025-06-21', 'calls', '4');
      story.advance('2025-07-02');
      expect(usageLines(story)).toEqual(['34.00']);
    }
  });

  test('a feature without usage price is shown only: seats reported before the change count on', () => {
    const story = june(usagePrice('1'));
    story.uses('2025-06-10', 'seats', '3');
    addsSeat(story, '2025-06-16');
    expect([...story.ledger.periods.values()].map(({ goesOn }) => goesOn)).toEqual([['feature:seats', 'feature:calls'], []]);
  });

  test('what differs is how it is called or written: the period goes on; in tax code or free cycles it does not', () => {
    const went = (fresh: Price): boolean => {
      const story = june(usagePrice('0.020', { flatFee: '0' }));
      changes(story, '2025-06-16', changeToPlan(metered('max', fresh, '60')));
      return [...story.ledger.periods.values()][0]?.goesOn.includes('feature:calls') ?? false;
    };
    const same = usagePrice('0.02');
    const named =
      same.strategy.kind === 'usage' ? { ...same, strategy: { ...same.strategy, unitName: 'request', minimumUnits: '0' } } : same;
    expect([went(same), went(named), went(usagePrice('0.02', { minimum: '1' })), went(usagePrice('0.02', { batch: 1 }))]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([went({ ...same, taxCode: 'x' }), went({ ...same, freeCycles: 1 }), went(usagePrice('0.02', { maximum: '9' }))]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('another price begins at the count so far', () => {
  test('0.02, then 0.01 to 1,500 and 0.005: 1,000 and 1,000 calls cost 20.00 and 7.50', () => {
    const story = june(usagePrice('0.02'));
    story.uses('2025-06-10', 'calls', '1000');
    const { breakdown, remainsToPay } = changes(story, '2025-06-16', changeToPlan(metered('max', falling, '60')));
    expect(remainsToPay).toMatchObject([{ invoice: { total: '20.00' } }]);
    expect(breakdown).toMatchObject({ usageOldContract: '20.00', oldContract: { usage: '20.00' }, total: '35.00' });
    story.uses('2025-06-20', 'calls', '1000');
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['20.00', '7.50']);
    const [, line] = [...story.ledger.lines.values()].filter(({ kind }) => kind === 'usage');
    expect(line).toMatchObject({
      span: { start: at('2025-06-16'), end: at('2025-07-01') },
      derivation: { units: '1000', events: 1, began: { units: '1000', tierFees: '0' } },
    });
  });

  test('there and back on one day: 1,000 before, 400 between, 1,000 after; nothing at 0.10 twice', () => {
    const story = june(graduated);
    story.uses('2025-06-10', 'calls', '800');
    changes(story, '2025-06-16', changeToPlan(metered('max', usagePrice('0.05'), '60')));
    story.uses('2025-06-16T06:00', 'calls', '400');
    changes(story, '2025-06-17', changeToPlan(metered('pro', graduated, '60')));
    story.uses('2025-06-18', 'calls', '1000');
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['80.00', '20.00', '10.00']);
  });

  test('minimum and fee of each part by its share of time: 40 of 100 and 4 of 10; 90 of 150 and 12 of 20', () => {
    const story = june(usagePrice('1', { minimum: '100', flatFee: '10' }));
    changes(story, '2025-06-13', changeToPlan(metered('max', usagePrice('1', { minimum: '150', flatFee: '20' }), '60')));
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['44.00', '102.00']);
  });

  test('the first tier’s fee of 7 is due once, the second’s of 3 where the count enters it', () => {
    const fees = (second: string) => tiered('graduated', ['100', '1', '7'], [null, second, '3']);
    const story = june(fees('1'));
    story.uses('2025-06-10', 'calls', '60');
    changes(story, '2025-06-16', changeToPlan(metered('max', fees('2'), '60')));
    story.uses('2025-06-20', 'calls', '50');
    story.advance('2025-08-01');
    expect(usageLines(story)).toEqual(['67.00', '63.00', '7.00']);
  });

  test('of a volume tier’s fee the new part owes what exceeds those charged before: 10, then 50 − 10, then nothing', () => {
    const story = june(tiered('volume', ['100', '1', '10'], [null, '1', '20']));
    story.uses('2025-06-10', 'calls', '5');
    changes(story, '2025-06-16', changeToPlan(metered('max', tiered('volume', [null, '2', '50']), '60')));
    story.uses('2025-06-17', 'calls', '5');
    changes(story, '2025-06-18', changeToPlan(metered('top', tiered('volume', [null, '3', '45']), '90')));
    story.uses('2025-06-19', 'calls', '5');
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['15.00', '50.00', '15.00']);
  });

  test('tier fees of a free cycle were not charged: the new part owes its own', () => {
    const freeFirst = { ...tiered('volume', [null, '1', '10']), freeCycles: 1 };
    const story = june(freeFirst);
    story.uses('2025-06-10', 'calls', '5');
    changes(story, '2025-06-16', changeToPlan(metered('max', tiered('volume', [null, '1', '30']), '60')));
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['0.00', '30.00']);
  });

  test('a marker of 30 after 100 gives nothing back, one of 130 counts 30, and 4 more follow', () => {
    const marked = (marker: string): string[] => {
      const story = june(usagePrice('1'));
      story.uses('2025-06-05', 'calls', '100');
      changes(story, '2025-06-16', changeToPlan(metered('max', usagePrice('2'), '60')));
      story.uses('2025-06-20', 'calls', '9');
      story.uses('2025-06-21', 'calls', marker, true);
      story.uses('2025-06-22', 'calls', '4');
      story.advance('2025-07-01');
      return usageLines(story);
    };
    expect([marked('30'), marked('130')]).toEqual([
      ['100.00', '8.00'],
      ['100.00', '68.00'],
    ]);
  });

  test('a feature that comes with the new plan begins at zero, one that comes back goes on from what was counted', () => {
    const bare = planOffer('bare', { price: '30' });
    const story = signs('2025-06-01', bare);
    changes(story, '2025-06-06', changeToPlan(metered('pro', graduated, '40')));
    story.uses('2025-06-07', 'calls', '900');
    changes(story, '2025-06-11', changeToPlan(planOffer('bare', { price: '60' })));
    changes(story, '2025-06-16', changeToPlan(metered('pro', graduated, '80')));
    story.uses('2025-06-17', 'calls', '200');
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['90.00', '11.00']);
  });

  test('a change of cycle begins a new billing period at zero', () => {
    const story = june(free);
    story.uses('2025-06-10', 'calls', '1500');
    changes(
      story,
      '2025-06-16',
      changeToPlan({ ...metered('year', free, '900'), pricing: { ...metered('year', free, '900').pricing, cycle: 'year' } }),
    );
    story.uses('2025-06-20', 'calls', '900');
    story.advance('2026-06-16');
    expect(usageLines(story)).toEqual(['10.00', '0.00']);
  });

  test('a correction prices its own part again, from the count that part began at', () => {
    const story = june(usagePrice('0.02'));
    const first = story.id();
    story.uses('2025-06-10', 'calls', '1000');
    changes(story, '2025-06-16', changeToPlan(metered('max', falling, '60')));
    story.uses('2025-06-20', 'calls', '1000');
    story.advance('2025-07-01');
    const note = (contractId: string, units: string, charged: string): void => {
      story.ledger.corrections.push({ contractId, periodIdx: 1, slug: 'calls', units, charged, occasion: contractId });
      write(story.ledger, planCorrections(snapshotOf(story.ledger, contractId, at('2025-07-02')), at('2025-07-02'), story.newId));
    };
    note(first, '2000', '20.00');
    note(story.id(), '1100', '7.50');
    expect(usageLines(story)).toEqual(['20.00', '7.50']);
    story.advance('2025-08-01');
    expect(usageLines(story).slice(2)).toEqual(['0.00', '20.00', '0.50']);
    expect(readDerivation([...story.ledger.lines.values()].at(-1)?.derivation ?? {})).toMatchObject({
      began: { units: '1000', tierFees: '0' },
    });
  });
});

describe('the part before a change closes by the policy of the contract', () => {
  const dearer = metered('max', usagePrice('2'), '60');

  test('1 day: reported and charged as it will be a day later, not in the total of the change', () => {
    const story = june(usagePrice('1', { flatFee: '10' }), closing('1 day'));
    story.uses('2025-06-10', 'calls', '5');
    const plan = changes(story, '2025-06-16', changeToPlan(dearer));
    expect(plan.remainsToPay).toMatchObject([{ invoice: { total: '10.00' }, lines: [{ kind: 'usage', totalIncludingTax: '10.00' }] }]);
    expect(plan.breakdown).toMatchObject({ usageOldContract: '10.00', oldContract: { usage: '10.00' }, total: '15.00' });
    expect(plan.outcome.effects.invoices).toHaveLength(1);
    story.usesThen('2025-06-15', 'calls', '3');
    story.advance('2025-06-17');
    expect(invoicesOf(story).at(-1)).toBe('2025-06-17 13.00: usage feature:calls 13.00');
    expect(() => story.usesThen('2025-06-15', 'calls', '1')).toThrow(expect.objectContaining({ code: 'usage_period_closed' }));
    story.uses('2025-06-20', 'calls', '4');
    story.advance('2025-07-02');
    expect(usageLines(story)).toEqual(['13.00', '8.00']);
  });

  test('manual: January waits beside the part before the change, each until it is closed', () => {
    const story = signs('2025-05-01', metered('pro', usagePrice('1')), closing('manual'));
    const first = story.id();
    story.uses('2025-05-10', 'calls', '5');
    story.advance('2025-06-01');
    story.uses('2025-06-10', 'calls', '7');
    const { remainsToPay, breakdown } = changes(story, '2025-06-16', changeToPlan(dearer));
    expect(remainsToPay).toMatchObject([{ invoice: { total: '12.00' } }]);
    expect(breakdown).toMatchObject({ usageOldContract: '12.00', total: '15.00' });
    expect(usageLines(story)).toEqual([]);
    for (const idx of [2, 1]) {
      write(story.ledger, planUsageClosing(snapshotOf(story.ledger, first, at('2025-06-18')), idx, at('2025-06-18'), story.newId));
    }
    expect(usageLines(story)).toEqual(['7.00', '5.00']);
  });

  test('usage of the day before that the new part began behind is counted when that closes', () => {
    const story = june(usagePrice('1'), closing('1 day'));
    changes(story, '2025-06-16', changeToPlan(metered('max', over('100', '3', '2'), '60')));
    story.usesThen('2025-06-15', 'calls', '90');
    story.uses('2025-06-17', 'calls', '20');
    story.advance('2025-07-02');
    expect(usageLines(story)).toEqual(['90.00', '50.00']);
  });

  test('1 day after a cancellation: usage reported for the time before it still counts', () => {
    const story = june(usagePrice('1'), closing('1 day'));
    story.does('2025-06-16', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
    );
    expect(usageLines(story)).toEqual([]);
    story.usesThen('2025-06-15', 'calls', '4');
    story.advance('2025-06-17');
    expect(usageLines(story)).toEqual(['4.00']);
  });

  test('a dated change does the same at its instant', () => {
    const story = june(usagePrice('1'), closing('1 day'));
    changes(story, '2025-06-05', changeToPlan(dearer, { activation: '2025-06-16' }));
    story.advance('2025-06-16');
    story.usesThen('2025-06-15', 'calls', '4');
    story.advance('2025-06-17');
    expect(usageLines(story)).toEqual(['4.00']);
  });
});

describe('a period closed by hand before the change', () => {
  test('at the same price only what exceeds it follows: fee and minimum were charged to the period’s end', () => {
    const story = june(usagePrice('1', { minimum: '10', flatFee: '6' }));
    story.uses('2025-06-05', 'calls', '4');
    story.does('2025-06-10', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
    addsSeat(story, '2025-06-16');
    story.uses('2025-06-17', 'calls', '3');
    addsSeat(story, '2025-06-18', '3');
    story.uses('2025-06-19', 'calls', '2');
    story.advance('2025-07-01');
    expect(usageLines(story)).toEqual(['16.00', '5.00']);
  });
});

test('in a free trial the counter goes on over a change, and the first period begins at zero', () => {
  const story = june(usagePrice('1'), { trialDays: 20 });
  story.uses('2025-06-10', 'calls', '50');
  changes(story, '2025-06-16', changeToPlan(metered('max', usagePrice('2'), '60')));
  const [first] = [...story.ledger.periods.values()];
  expect(first).toMatchObject({ idx: 0, status: 'closed', goesOn: ['feature:seats', 'feature:calls'] });
  story.advance('2025-06-21');
  story.uses('2025-06-22', 'calls', '3');
  story.advance('2025-07-21');
  expect(usageLines(story)).toEqual(['6.00']);
});

test('an estimate of a change after a change: 40 of the part that waits, none of the one that closed', () => {
  const story = june(usagePrice('1'), closing('manual'));
  story.uses('2025-06-10', 'calls', '5');
  changes(story, '2025-06-16', changeToPlan(metered('max', usagePrice('2'), '60')));
  story.uses('2025-06-17', 'calls', '20');
  const { remainsToPay } = estimates(story, '2025-06-20', changeToPlan(metered('top', usagePrice('3'), '90')));
  expect(remainsToPay.map(({ invoice }) => invoice.total)).toEqual(['40.00']);
});
