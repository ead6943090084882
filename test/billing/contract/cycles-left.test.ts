import { at } from '../../../billing/calendar/instant.ts';
import { discountIn } from '../../../billing/contract/period/cycles-left.ts';
import type { GivenDiscount } from '../../../billing/contract/terms/sign.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

// What is left of free and discount cycles when the length of the cycle changes goes over as time.

type Length = 'week' | 'month' | 'quarter' | 'year' | 'once' | 'constant';
const priced = (amount: string, cycle: Length = 'month') => planOffer(`${cycle}${amount}`, { price: amount, cycle });
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

afterEach(() => {
  for (const { ledger } of shown.splice(0)) {
    for (const { amounts, recomputed } of [...ledger.lines.values()].map(explainLine)) expect(recomputed).toEqual(amounts);
  }
});
const shown: Story[] = [];
const begins = (...words: Parameters<typeof signs>): Story => {
  const story = signs(...words);
  shown.push(story);
  return story;
};

describe('free cycles', () => {
  test('as many as a signing may give are as many at most in shorter cycles, and go on to be free', () => {
    const most = 2_147_483_647;
    const story = begins('2025-01-01', priced('1200', 'year'), { freeCycles: most });
    changes(story, '2025-07-01', changeToPlan(priced('100'), now));
    expect(story.contract().freeCycles).toBe(most);
    story.advance('2025-09-01');
    expect(since(story, 1)).toEqual(['2025-07-01', '2025-08-01', '2025-09-01'].map((date) => `${date} 0.00: plan 0.00`));
  });

  test('3 free months, changed to 1200.00 a year at the start of the second: 2/12 of the first year are free, no more', () => {
    const story = begins('2025-01-01', priced('100'), { freeCycles: 3 });
    story.advance('2025-02-01');
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    expect(since(story, 2)).toEqual(['2025-02-01 1000.00: plan 1000.00']);
    expect(story.contract()).toMatchObject({ freeCycles: 0, cyclesLeft: { after: 2, free: { num: '1', den: '6' } } });
    story.advance('2026-02-01');
    expect(since(story, 3)).toEqual(['2026-02-01 1200.00: plan 1200.00']);
  });

  test('in the middle of the second: half a month and a whole one, 1.5/12 of the year', () => {
    const story = begins('2025-03-01', priced('100'), { freeCycles: 3 });
    changes(story, '2025-04-16', changeToPlan(priced('1200', 'year'), now));
    expect(since(story, 2)).toEqual(['2025-04-16 1050.00: plan 1050.00']);
    const [line] = [...story.ledger.lines.values()].slice(-1);
    if (line === undefined) throw new Error('no line');
    expect(explainLine(line).sentences).toContain("1 / 8 (0.125000000000) of this cycle are free: that share of the amount isn't charged.");
  });

  test('put off to the end of the cycle: only whole ones are left', () => {
    const story = begins('2025-01-01', priced('100'), { freeCycles: 3 });
    const { priceOnNew } = changes(story, '2025-01-10', changeToPlan(priced('1200', 'year'), { activation: 'next_cycle' }));
    expect(priceOnNew[0]?.invoice.total).toBe('1000.00');
    story.advance('2025-02-01');
    expect(since(story, 1)).toEqual(['2025-02-01 1000.00: plan 1000.00']);
  });

  test('a free year, half used, makes six free months', () => {
    const story = begins('2025-01-01', priced('1200', 'year'), { freeCycles: 1 });
    changes(story, '2025-07-02T12:00', changeToPlan(priced('110'), now));
    story.advance('2026-02-02T12:00');
    expect(story.ledger.invoices.map(({ total }) => total)).toEqual([
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '110.00',
      '110.00',
    ]);
    expect(story.contract().freeCycles).toBe(6);
  });

  test('weeks to months by the same year: 365/7 weeks are twelve months', () => {
    const story = begins('2025-01-01', priced('10', 'week'), { freeCycles: 2 });
    changes(story, '2025-01-01', changeToPlan(priced('365'), now));
    // 2 weeks are 2 × 12 × 7 / 365 = 168/365 of a month
    expect(since(story, 1)).toEqual(['2025-01-01 197.00: plan 197.00']);
  });

  test('there and back at one instant the time left is what it was', () => {
    const story = begins('2025-03-01', priced('100'), { freeCycles: 3 });
    changes(story, '2025-04-16', changeToPlan(priced('1200', 'year'), now));
    changes(story, '2025-04-16', changeToPlan(priced('100'), now));
    expect(story.contract().cyclesLeft?.free).toEqual({ num: '3', den: '2' });
    story.advance('2025-06-16');
    expect(since(story, 4)).toEqual(['2025-05-16 50.00: plan 50.00', '2025-06-16 100.00: plan 100.00']);
  });

  test('a change in the same year, and to months in its middle', () => {
    const story = begins('2025-01-01', priced('100'), { freeCycles: 3 });
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    changes(story, '2025-08-02T12:00', changeToPlan(priced('2400', 'year')));
    expect(since(story, 3)).toEqual(['2025-08-02T12:00Z 500.00: credit plan -500.00, plan 1000.00']);
    changes(story, '2025-08-02T12:00', changeToPlan(priced('120'), now));
    // a sixth of half a year is one month
    expect(since(story, 4)).toEqual(['2025-08-02T12:00Z 0.00: credit plan -1000.00, plan 0.00, wallet 1000.00']);
    story.advance('2025-09-02T12:00');
    expect(since(story, 5)).toEqual(['2025-09-02T12:00Z 120.00: plan 120.00']);
  });

  test('in a trial, and before the activation, all of them are left', () => {
    const trial = (amount: string, cycle: Length) => planOffer(`t${cycle}`, { price: amount, trialDays: 10, cycle });
    const story = begins('2025-01-01', trial('100', 'month'), { freeCycles: 3 });
    changes(story, '2025-01-05', changeToPlan(trial('1200', 'year'), now));
    story.advance('2025-01-11');
    expect(invoicesOf(story)).toEqual(['2025-01-11 900.00: plan 900.00']);

    const ahead = begins('2025-01-01', priced('100'), { freeCycles: 3, activation: '2025-02-01' });
    changes(ahead, '2025-01-05', changeToPlan(priced('1200', 'year'), now));
    ahead.advance('2025-02-01');
    expect(invoicesOf(ahead)).toEqual(['2025-02-01 900.00: plan 900.00']);
  });

  test('a price’s own go over for that price; a change starts no new ones', () => {
    const sold = (cycle: Length, free: number) =>
      planOffer(`p${cycle}`, {
        cycle,
        price: '0',
        features: { disk: price('1200', { kind: 'flat' }, free), extra: price('5', { kind: 'flat' }, cycle === 'year' ? 1 : 0) },
      });
    const story = begins('2025-01-01', sold('month', 3));
    story.advance('2025-02-01');
    changes(story, '2025-02-01', changeToPlan(sold('year', 1), now));
    expect(since(story, 2)).toEqual([
      '2025-02-01 1000.00: credit feature:extra -5.00, plan 0.00, feature:disk 1000.00, feature:extra 5.00',
    ]);
  });

  test('usage of a partly free cycle is charged for the rest, and corrected so', () => {
    const metered = (cycle: Length) => planOffer(`u${cycle}`, { cycle, price: '0', features: { calls: usagePrice('1', {}) } });
    const free = (cycle: Length) => {
      const offer = metered(cycle);
      const calls = offer.pricing.features.calls;
      return { ...offer, pricing: { ...offer.pricing, features: { calls: calls ? { ...calls, freeCycles: 3 } : null } } } as typeof offer;
    };
    const story = begins('2025-01-01', free('month'));
    story.advance('2025-02-01');
    changes(story, '2025-02-01', changeToPlan(metered('year'), now));
    story.uses('2025-02-03', 'calls', '120');
    story.advance('2026-02-01');
    expect(invoicesOf(story).at(-1)).toBe('2026-02-01 100.00: usage feature:calls 100.00, plan 0.00');
  });

  test('`once` has no length: nothing of the free time goes over', () => {
    const story = begins('2025-01-01', priced('100'), { freeCycles: 3 });
    changes(story, '2025-02-01', changeToPlan(priced('500', 'once'), now));
    expect(since(story, 2)).toEqual(['2025-02-01 500.00: plan 500.00']);
    const back = begins('2025-01-01', priced('500', 'once'), { freeCycles: 3 });
    changes(back, '2025-02-01', changeToPlan(priced('100'), now));
    expect(since(back, 1)).toEqual(['2025-02-01 100.00: plan 100.00']);
  });
});

describe('a discount', () => {
  test('5.00 a month for 2 months left is 10.00 in the first year', () => {
    const story = begins('2025-01-01', priced('100'), { discount: off('flat', '5', 3) });
    story.advance('2025-02-01');
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    expect(since(story, 2)).toEqual(['2025-02-01 1095.00: credit plan -95.00, plan 1190.00']);
    expect(discountIn(story.contract(), 1, [])?.amount).toBe('10.00');
    story.advance('2026-02-01');
    expect(since(story, 3)).toEqual(['2026-02-01 1200.00: plan 1200.00']);
  });

  test('10 % for 2 months left is 10 % of a sixth of the year', () => {
    const story = begins('2025-01-01', priced('100'), { discount: off('percentage', '10', 3) });
    story.advance('2025-02-01');
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), now));
    expect(since(story, 2)).toEqual(['2025-02-01 1090.00: credit plan -90.00, plan 1180.00']);
    const [line] = [...story.ledger.lines.values()].slice(-1);
    expect(line?.discountDescription).toBe('Off: 10 % for 16.67 % of the time');
  });

  test('50.00 a year, half of it left, is 25.00 over six months to the cent', () => {
    const story = begins('2025-01-01', priced('1200', 'year'), { discount: off('flat', '50', 1) });
    changes(story, '2025-07-02T12:00', changeToPlan(priced('100'), now));
    story.advance('2026-01-02T12:00');
    const off_ = [...story.ledger.lines.values()].filter(({ kind, contractId }) => kind === 'recurring' && contractId === story.id());
    expect(off_.map(({ discountAmount }) => discountAmount)).toEqual(['4.17', '4.16', '4.17', '4.17', '4.16', '4.17', '0.00']);
  });

  test('a flat one keeps its value in a single payment too; a percentage has no time to go over to', () => {
    const story = begins('2025-01-01', priced('100'), { discount: off('flat', '5', 3) });
    story.advance('2025-02-01');
    changes(story, '2025-02-01', changeToPlan(priced('500', 'once'), now));
    expect(since(story, 2)).toEqual(['2025-02-01 395.00: credit plan -95.00, plan 490.00']);
    const other = begins('2025-01-01', priced('100'), { discount: off('percentage', '10', 3) });
    other.advance('2025-02-01');
    changes(other, '2025-02-01', changeToPlan(priced('500', 'once'), now));
    expect(since(other, 2)).toEqual(['2025-02-01 410.00: credit plan -90.00, plan 500.00']);
  });

  test('one that is given with the change counts its own cycles', () => {
    const story = begins('2025-01-01', priced('100'), { discount: off('percentage', '10', 3) });
    changes(story, '2025-02-01', changeToPlan(priced('1200', 'year'), { ...now, discount: off('percentage', '50', 1) }));
    expect(since(story, 2)).toEqual(['2025-02-01 510.00: credit plan -90.00, plan 600.00']);
    story.advance('2026-02-01');
    expect(since(story, 3)).toEqual(['2026-02-01 1200.00: plan 1200.00']);
  });

  test('of a period that ends with a known end only that time is charged and discounted', () => {
    const story = begins('2025-01-01', priced('100'), { discount: off('flat', '5', 3), expiration: '2025-02-11' });
    story.advance('2025-02-01');
    changes(story, '2025-02-01', changeToPlan(priced('740', 'year'), now));
    expect(story.ledger.invoices.at(-1)?.date).toBe(at('2025-02-01'));
    expect(since(story, 2)).toEqual(['2025-02-01 0.00: credit plan -33.93, plan 20.00, wallet 13.93']);
  });
});
