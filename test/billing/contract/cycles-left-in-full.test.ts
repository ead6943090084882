import { discountIn, freedomIn } from '../../../billing/contract/period/cycles-left.ts';
import type { GivenDiscount } from '../../../billing/contract/terms/sign.ts';
import { planOffer, price } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

const priced = (amount: string, cycle: 'month' | 'year' = 'month') => planOffer(`${cycle}${amount}`, { price: amount, cycle });
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);
const now = { downgradeAllowed: true };
const off = (type: 'percentage' | 'flat', amount: string, duration: number): GivenDiscount => ({
  originalDiscountId: null,
  slug: 'off',
  name: 'Off',
  type,
  amount,
  currency: type === 'flat' ? 'usd' : null,
  duration,
});

describe('what is free of a price', () => {
  const contract = signs('2025-01-01', priced('100'), { freeCycles: 2 }).contract();
  const flat = { source: 'plan', price: price('100') };

  test('all of it in 2 free cycles of the contract, nothing in the third, and nothing of what doesn’t recur', () => {
    expect([1, 2, 3].map((idx) => freedomIn(contract, idx, flat, true))).toEqual([{ free: true }, { free: true }, { free: false }]);
    expect(freedomIn(contract, 1, flat, false)).toEqual({ free: false });
  });

  test('a part of it where 1 of 12 months is left', () => {
    const left = { ...contract, freeCycles: 0, cyclesLeft: { after: 0, free: { num: '1', den: '12' }, prices: null, discount: null } };
    expect(freedomIn(left, 1, flat, true)).toEqual({ free: false, freePart: { num: '1', den: '12' } });
    expect(freedomIn(left, 2, flat, true)).toEqual({ free: false });
  });
});

describe('free cycles of a price', () => {
  const supported = (cycle: 'month' | 'year', amount: string, freeCycles: number, trialDays = 0) =>
    planOffer(`${cycle}${amount}`, { price: '0', cycle, trialDays, features: { support: price(amount, { kind: 'flat' }, freeCycles) } });

  test('are the new price’s own after a change of the cycle in a trial: its first year is free', () => {
    const story = signs('2025-01-01', supported('month', '10', 0, 10));
    changes(story, '2025-01-05', changeToPlan(supported('year', '100', 1)));
    expect(story.contract().cyclesLeft).toMatchObject({ prices: null });
    story.advance('2026-01-11');
    expect(since(story, 0)).toEqual([
      '2025-01-11 0.00: plan 0.00, feature:support 0.00',
      '2026-01-11 100.00: plan 0.00, feature:support 100.00',
    ]);
  });

  test('that are used up leave nothing behind, those that aren’t as time', () => {
    const cyclesLeft = (freeCycles: number) => {
      const story = signs('2025-01-01', supported('month', '10', freeCycles));
      story.advance('2025-02-01');
      changes(story, '2025-02-01', changeToPlan(supported('year', '100', 0), now));
      return story.contract().cyclesLeft?.prices;
    };
    expect(cyclesLeft(1)).toEqual({});
    expect(cyclesLeft(4)).toEqual({ 'feature:support': { num: '1', den: '4' } });
  });
});

describe('a discount whose cycles go over as time', () => {
  test('shows from where it holds, and for how many whole cycles at most', () => {
    const shown = (story: Story) => {
      const { discount } = story.contract();
      return [discount?.cyclesBefore, discount?.duration];
    };
    const months = signs('2025-01-01', priced('100'), { discount: off('percentage', '10', 3) });
    changes(months, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    expect(shown(months)).toEqual([2, 1]);
    const longer = signs('2025-01-01', priced('100'), { discount: off('percentage', '10', 25) });
    changes(longer, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    expect(shown(longer)).toEqual([2, 2]);
    const most = signs('2025-01-01', priced('100'), { discount: off('percentage', '10', 26) });
    changes(most, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    expect(shown(most)).toEqual([2, 3]);
  });

  test('ends: no line names it any more', () => {
    const story = signs('2025-01-01', priced('100'), { discount: off('percentage', '10', 3) });
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    story.advance('2026-02-01');
    expect([1, 2].map((idx) => discountIn(story.contract(), idx, [])?.slug)).toEqual(['off', undefined]);
    const last = [...story.ledger.lines.values()].at(-1);
    expect(last).toMatchObject({ totalIncludingTax: '1200.00', discountDescription: null, derivation: { discount: null } });
  });

  test('5.00 for 12 months, changed to yearly after one and back after half a year: 5.5 months are left', () => {
    const story = signs('2025-01-01', priced('100'), { discount: off('flat', '5', 12) });
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    expect(discountIn(story.contract(), 1, [])?.amount).toBe('55.00');
    changes(story, '2025-08-02T12:00', changeToPlan(priced('100'), now));
    story.advance('2026-02-02T12:00');
    const taken = [...story.ledger.lines.values()].filter(({ kind, contractId }) => kind === 'recurring' && contractId === story.id());
    expect(taken.map(({ discountAmount }) => discountAmount)).toEqual(['5.00', '5.00', '5.00', '5.00', '5.00', '2.50', '0.00']);
  });

  test('given with a change in the third month for 6, changed to yearly at the start of the fourth: 5 of 12 months of 10 %', () => {
    const story = signs('2025-01-01', priced('100'));
    changes(story, '2025-03-10', changeToPlan(priced('200'), { discount: off('percentage', '10', 6) }));
    changes(story, '2025-04-01', changeToPlan(priced('1200', 'year'), now));
    expect(story.contract().cyclesLeft?.discount?.left).toEqual({ num: '5', den: '12' });
    expect(invoicesOf(story).at(-1)).toBe('2025-04-01 970.00: credit plan -180.00, plan 1150.00');
  });

  test('given with the change where there was none before, it counts from there', () => {
    const story = signs('2025-01-01', priced('100'));
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), { ...now, discount: off('percentage', '50', 1) }));
    expect(since(story, 2)).toEqual(['2025-02-01 500.00: credit plan -100.00, plan 600.00']);
  });
});
