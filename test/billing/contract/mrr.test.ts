import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import type { Pause } from '../../../billing/calendar/pauses.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planResume } from '../../../billing/contract/advance/resume.ts';
import { type MrrAt, mrrMoves } from '../../../billing/contract/mrr/moves.ts';
import { mrrOf } from '../../../billing/contract/mrr/mrr-of.ts';
import { isLive } from '../../../billing/contract/period/time.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { countingIds, snapshotOf } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { discountOf } from '../invoice/build.ts';
import { diaries, freeze, snapshots, unfreeze } from './random.ts';

const state = (amount: string, currency: 'usd' | 'jpy' = 'usd') => ({ contractId: 'Cont_1', at: at('2025-01-01'), currency, amount });
const shown = (moves: ReturnType<typeof mrrMoves>): string[] => moves.map(({ kind, currency, amount }) => `${kind} ${amount} ${currency}`);

describe('a contract that is resumed after it was parked', () => {
  const offer = planOffer('p', { price: '100' });
  const FROZEN = { from: at('2025-01-10'), to: at('2025-01-20') };
  /** What is booked once it is resumed on 5 February, of a contract with the amount that was booked before. */
  const booked = (amount: string, pauses: Pause[]) => {
    const { ledger, id } = signs('2025-01-01', offer);
    const snapshot = snapshotOf(ledger, id(), at('2025-02-05'));
    const late = { ...snapshot, customer: { ...snapshot.customer, pauses } };
    const { effects } = planResume(late, at('2025-02-05'), countingIds());
    const states = effects.mrr.map((one) => ({ ...one, at: one.at ?? at('2025-02-05') }));
    return shown(mrrMoves([{ currency: 'usd', amount, number: 1 }], states));
  };

  it('earns again where its freeze has ended meanwhile: 0.00 was booked, 100.00 is', () => {
    expect(booked('0.00', [FROZEN])).toEqual(['reactivation 100.00 usd']);
  });

  it('earns nothing where a freeze has begun meanwhile and lasts', () => {
    expect(booked('100.00', [{ from: at('2025-01-10'), to: null }])).toEqual(['churn -100.00 usd']);
  });

  it('has no move where nothing has come of it', () => {
    expect(booked('100.00', [FROZEN])).toEqual([]);
  });
});

describe('a contract that is signed with an activation before a freeze that has ended', () => {
  type Freezes = readonly [from: string, to: string][];
  const signed = (offer: Offer, words: SignWords): Story => signs('2025-01-01', offer, { activation: '2025-01-05', ...words });
  const dated = (states: readonly MrrAt[]): string[] =>
    mrrMoves([], states).map(({ at: when, kind, amount }) => `${iso(when).slice(0, 10)} ${kind} ${amount}`);

  function inTime(offer: Offer, words: SignWords, freezes: Freezes, until: string): string[] {
    const story = signed(offer, words);
    for (const [from, to] of freezes) {
      freeze(story, at(from));
      unfreeze(story, at(to));
    }
    story.advance(until);
    return dated(story.ledger.mrr);
  }

  function late(offer: Offer, words: SignWords, freezes: Freezes, until: string): string[] {
    const { ledger, id } = signed(offer, words);
    const pauses = freezes.map(([from, to]) => ({ from: at(from), to: at(to) }));
    const snapshot = snapshotOf(ledger, id(), at(until));
    const { effects } = advance({ ...snapshot, customer: { ...snapshot.customer, pauses } }, at(until), countingIds());
    return dated(effects.mrr.map((one) => ({ ...one, at: one.at ?? at(until) })));
  }

  it('churns and is reactivated with the freeze', () => {
    expect(late(planOffer('p', { price: '100' }), {}, [['2025-01-10', '2025-01-20']], '2025-01-25')).toEqual([
      '2025-01-05 new 100.00',
      '2025-01-10 churn -100.00',
      '2025-01-20 reactivation 100.00',
    ]);
  });

  it('is reactivated at the end of the freeze, though a period is closed within it', () => {
    const offer = planOffer('p', { price: '100', features: { calls: usagePrice('1') } });
    const words: SignWords = { configuration: { usagePeriodClosingPolicy: '1 day' } };
    expect(late(offer, words, [['2025-02-05T12:00:00Z', '2025-02-20']], '2025-02-25')).toEqual([
      '2025-01-05 new 100.00',
      '2025-02-05 churn -100.00',
      '2025-02-20 reactivation 100.00',
    ]);
  });

  it('has no other moves where it catches up in several steps', () => {
    const offer = planOffer('p', { price: '100', features: { calls: usagePrice('1') } });
    const { ledger, id } = signed(offer, { configuration: { usagePeriodClosingPolicy: '1 day' } });
    const until = at('2025-02-25');
    const start = snapshotOf(ledger, id(), until);
    const pauses: Pause[] = [{ from: at('2025-02-05T12:00:00Z'), to: at('2025-02-20') }];
    let snapshot = { ...start, customer: { ...start.customer, pauses } };
    const newId = countingIds();
    const states: MrrAt[] = [];
    for (let left = 9; left > 0; left -= 1) {
      const outcome = advance(snapshot, until, newId, { instants: 1 });
      states.push(...outcome.effects.mrr.map((one) => ({ ...one, at: one.at ?? until })));
      snapshot = outcome.snapshot;
    }
    expect(dated(states)).toEqual(['2025-01-05 new 100.00', '2025-02-05 churn -100.00', '2025-02-20 reactivation 100.00']);
  });

  it('has the moves of one that was signed in time', () => {
    const day = (n: number): string => iso(at('2025-01-01') + n * DAY);
    const gaps = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 15 })), { maxLength: 3 });
    const terms = fc.record({
      cycle: fc.constantFrom('week' as const, 'month' as const, 'quarter' as const),
      free: fc.nat(2),
      trial: fc.nat(12),
      discount: fc.constantFrom(null, 1, 2),
      ends: fc.option(fc.integer({ min: 6, max: 80 })),
    });
    fc.assert(
      fc.property(gaps, terms, (drawn, { cycle, free, trial, discount, ends }) => {
        let last = 0;
        const freezes = drawn.map(([gap, length]): [string, string] => {
          const from = last + gap;
          last = from + length;
          return [day(from), day(last)];
        });
        const offer = planOffer('p', { price: price('30', { kind: 'flat' }, free), cycle, features: { calls: usagePrice('1') } });
        const words: SignWords = {
          trialDays: trial,
          configuration: { usagePeriodClosingPolicy: '1 day' },
          ...(discount === null ? {} : { discount: { ...discountOf('percentage', '10'), duration: discount } }),
          ...(ends === null ? {} : { expiration: day(ends) }),
        };
        expect(late(offer, words, freezes, day(last + 40))).toEqual(inTime(offer, words, freezes, day(last + 40)));
      }),
      runs(),
    );
  });
});

test.each<[string, string[], string[]]>([
  ['the first amount above zero is new, whatever came before', ['0.00', '10.00'], ['new 10.00 usd']],
  ['up and down', ['10.00', '15.00', '9.99'], ['new 10.00 usd', 'expansion 5.00 usd', 'contraction -5.01 usd']],
  ['to zero and back', ['10.00', '0.00', '4.00'], ['new 10.00 usd', 'churn -10.00 usd', 'reactivation 4.00 usd']],
  ['the same amount again is no move', ['10.00', '10.00', '10'], ['new 10.00 usd']],
])('%s', (_title, amounts, expected) => {
  expect(
    shown(
      mrrMoves(
        [],
        amounts.map((amount) => state(amount)),
      ),
    ),
  ).toEqual(expected);
});

test('another currency is churn in the old one and no new chain in the new one; numbers count in each', () => {
  const moves = mrrMoves([{ currency: 'usd', amount: '10.00', number: 3 }], [state('1000', 'jpy'), state('12.00')]);
  expect(shown(moves)).toEqual(['churn -10.00 usd', 'reactivation 1000 jpy', 'churn -1000 jpy', 'reactivation 12.00 usd']);
  expect(moves.map(({ number }) => number)).toEqual([4, 1, 2, 5]);
});

test('the MRR under a flat discount above all prices is nothing, also of prices below a cent', () => {
  const features = { seats: seats('0.333', '1'), desks: seats('0.335', '1') };
  const contract = signs('2025-01-01', planOffer('pro', { price: null, strategy: 'feature', cycle: 'day', features })).contract();
  expect(mrrOf({ ...contract, discount: discountOf('flat', '1000') }, [])).toBe('0.00');
});

test('the MRR of all kinds of prices is that of the recurring ones, after their own free cycles', () => {
  const features = {
    seats: seats('10', '5', { flatFee: '3' }),
    calls: usagePrice('1', { flatFee: '2', minimum: '7', batch: 1 }),
    setup: ['first_cycle', price('99')] as ['first_cycle', ReturnType<typeof price>],
    support: ['year', price('120')] as ['year', ReturnType<typeof price>],
  };
  const story = signs('2025-01-01', planOffer('pro', { price: price('29', { kind: 'flat' }, 1), features }));
  expect(mrrOf(story.contract(), [])).toBe('53.00');
  story.advance('2025-02-01');
  expect(mrrOf(story.contract(), [])).toBe('82.00');
});

test.each<[string, string, 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year', string]>([
  ['a week of 9.99 less 10 %: 8.991 × 365 ÷ 84', '9.99', 'week', '39.07'],
  ['an hour of 0.004 less 10 %: 0.0036 × 730, though each hour is charged 0.00', '0.004', 'hour', '2.63'],
  ['a day of 1.01 less 10 %: 0.909 × 365 ÷ 12', '1.01', 'day', '27.65'],
  ['a quarter of 99.99 less 10 %: 89.991 ÷ 3', '99.99', 'quarter', '30.00'],
  ['a year of 1.05 less 10 %: 0.945 ÷ 12', '1.05', 'year', '0.08'],
])('the MRR is rounded once, at the end: %s', (_title, amount, cycle, expected) => {
  const discount = { ...discountOf('percentage', '10'), duration: 3 };
  const story = signs('2025-01-01', planOffer('pro', { price: price(amount, { kind: 'flat' }), cycle }), { discount });
  expect(mrrOf(story.contract(), [])).toBe(expected);
});

test('whatever happens to a contract, the moves of its chain come to its MRR as it then is', () => {
  fc.assert(
    fc.property(diaries(), (diary) => {
      const story = snapshots(diary, (now) => {
        const live = [...now.ledger.contracts.values()].find((one) => isLive(one) && !one.isSuccessor);
        const moves = mrrMoves([], now.ledger.mrr);
        const mrr = live === undefined ? '0' : mrrOf(live, now.ledger.pauses);
        expect(sum(moves.map(({ amount }) => dec(amount))).toFixed()).toBe(dec(mrr).toFixed());
      });
      const moves = mrrMoves([], story.ledger.mrr);
      expect(moves.filter(({ kind }, index) => (kind === 'new') !== (index === 0))).toEqual([]);
      expect(moves.map(({ at: when }) => iso(when))).toEqual(moves.map(({ at: when }) => iso(when)).toSorted());
    }),
    runs(),
  );
});
