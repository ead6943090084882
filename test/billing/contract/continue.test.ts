import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { continued, givenBackSoFar } from '../../../billing/contract/change/continue.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { LineGivenBack } from '../../../billing/invoice/continued.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { cancelsFor, monthly, paid, takesBack } from '../../support-billing/known-ends.ts';
import { invoicesOf, signs } from '../../support-billing/story.ts';
import { charge } from '../invoice/build.ts';

// What a change gives back at an instant, the next contract may go on with at that very instant.

const contract = { ...signs('2025-06-01', planOffer('pro', { price: '10' })).contract(), began: 15 };
const discount = { id: 'Disc_1', slug: 'ten', name: 'Ten', type: 'percentage', amount: '10', share: null } as const;
const NOTHING = { subtotal: '0.00', discountAmount: '0.00', totalExcludingTax: '0.00', taxAmount: '0.00', totalIncludingTax: '0.00' };
const tax = { policy: 'tax_included', taxCode: null, rate: null, reverseCharge: false, note: null } as const;

function back(id: string, more: Partial<LineGivenBack> = {}): LineGivenBack {
  return {
    source: 'plan',
    currency: 'usd',
    price: price('10'),
    units: '1',
    discount: null,
    until: 30,
    amounts: NOTHING,
    credit: {
      type: 'credit',
      currency: 'usd',
      line: { id, name: 'Pro', ...NOTHING },
      credited: { excludingTax: '0', tax: '0' },
      at: 15,
      ratio: { part: 15, whole: 30, shown: '0.5' },
      tax,
      rounding: { digits: 2, mode: 'half away from zero', exactSubtotal: '0', exactNet: '0' },
    },
    ...more,
  };
}

const ids = (lines: readonly LineGivenBack[] = []): string[] => lines.map(({ credit }) => credit.line.id);

describe('what has been given back along the chain', () => {
  const predecessor = (...givenBack: LineGivenBack[]) => ({ ...contract, givenBack });

  test('at the same instant goes before what is given back now', () => {
    expect(ids(givenBackSoFar(predecessor(back('A', { units: '2' })), 15, [back('B')]))).toEqual(['A', 'B']);
  });

  test('at an earlier instant counts no more', () => {
    expect(givenBackSoFar(predecessor(back('A', { units: '2' })), 16, [back('B')])).toEqual([back('B')]);
  });

  test('of 500 changes at one instant the last 200 before this one are stored', () => {
    const many = Array.from({ length: 500 }, (_, n) => back(`${n}`, { units: `${n + 2}` }));
    const lines = ids(givenBackSoFar(predecessor(...many), 15, [back('B')]));
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([201, '300', 'B']);
  });

  test('of two alike the later one stands', () => {
    expect(ids(givenBackSoFar(predecessor(back('A')), 15, [back('C', { units: '2' }), back('B')]))).toEqual(['C', 'B']);
  });

  test.each<[string, Partial<LineGivenBack>]>([
    ['source', { source: 'feature:seats' }],
    ['currency', { currency: 'eur' }],
    ['units', { units: '2' }],
    ['end', { until: 31 }],
    ['price', { price: price('11') }],
    ['cycle', { cycle: 'week' }],
    ['discount', { discount }],
  ])('of another %s both stand', (_, more) => {
    expect(ids(givenBackSoFar(predecessor(back('A', more)), 15, [back('B')]))).toEqual(['A', 'B']);
  });
});

describe('a charge goes on', () => {
  const goesOnWith = (...givenBack: LineGivenBack[]) => ids(continued({ ...contract, givenBack }, charge(price('10'))).continues?.flat());

  test('with what was given back for the same price, units and end, whatever the discount', () => {
    expect(goesOnWith(back('A', { discount }), back('B'))).toEqual(['A', 'B']);
  });

  test('with nothing of another source, currency, end or price, or of other units', () => {
    const others = [{ source: 'group:a' }, { currency: 'eur' as const }, { units: '2' }, { until: 29 }, { price: usagePrice('10') }];
    expect(goesOnWith(...others.map((more) => back('A', more)))).toEqual([]);
  });

  test('with what was charged for the same cycle, not with the same number for another one', () => {
    const weekly = charge(price('10'), { cycle: 'week' });
    const givenBack = [back('A', { cycle: 'month' }), back('B', { cycle: 'week' }), back('C')];
    expect(ids(continued({ ...contract, givenBack }, weekly).continues?.flat())).toEqual(['B']);
  });

  test('with nothing where it pays for no span, or for one without an end', () => {
    for (const span of [null, { start: 0, end: null }]) {
      expect(continued({ ...contract, givenBack: [back('A')] }, charge(price('10'), { span })).continues).toEqual([]);
    }
  });
});

test('what was charged ahead of its time is none that begins now: to another price and back at one instant, 15 days are 150.00', () => {
  const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount });
  const story = signs('2025-06-01', monthly('30'));
  const when = { type: 'date', date: at('2025-06-21') } as const;
  story.does('2025-06-02', (snapshot, now, newId) => planCancellation(snapshot, { when, credit: false, notes: null }, now, newId));
  changes(story, '2025-06-11', changeToPlan(monthly('300')));
  story.does('2025-06-15', planCancelUndo);
  changes(story, '2025-06-16', changeToPlan(monthly('600')));
  changes(story, '2025-06-16', changeToPlan(monthly('300'), { downgradeAllowed: true }));
  expect(invoicesOf(story).slice(2)).toEqual([
    '2025-06-15 90.00: credit plan -10.00, plan 100.00',
    '2025-06-16 150.00: credit plan -50.00, credit plan -100.00, plan 300.00',
    '2025-06-16 0.00: credit plan -300.00, plan 150.00, wallet 150.00',
  ]);
});

describe('a line that was charged on from a known end', () => {
  const part = (id: string, from: number, until: number, more: Partial<LineGivenBack> = {}): LineGivenBack => {
    const given = back(id, { until, naturalEnd: 30, ...more });
    return { ...given, credit: { ...given.credit, at: from } };
  };
  const continuedTo = (end: number, ...givenBack: LineGivenBack[]) => {
    const one = charge(price('10'), { span: { start: 15, end }, ...(end < 30 ? { naturalEnd: 30 } : {}) });
    return continued({ ...contract, givenBack }, one).continues?.map((parts) => ids(parts).join());
  };
  const [a, b, c] = [part('A', 15, 21), part('B', 21, 28), part('C', 28, 30)];

  test('goes on up to the end of the charge, in parts that follow each other', () => {
    expect([21, 28, 30].map((end) => continuedTo(end, c, a, b))).toEqual([['A'], ['A,B'], ['A,B,C']]);
  });

  test('that came back twice at the instant goes on as it came back last', () => {
    expect(continuedTo(30, a, b, c, part('D', 15, 30))?.at(-1)).toBe('D');
  });

  test.each<[string, Partial<LineGivenBack>]>([
    ['source', { source: 'feature:seats' }],
    ['currency', { currency: 'eur' }],
    ['units', { units: '2' }],
    ['price', { price: price('11') }],
    ['cycle', { cycle: 'week' }],
    ['discount', { discount }],
    ['natural end', { naturalEnd: 60 }],
    ['tax', { credit: { ...back('B').credit, tax: { ...tax, rate: '0.10' } } }],
  ])('has no part of another %s', (_, more) => {
    expect(continuedTo(30, a, part('B', 21, 30, more))).toEqual([]);
  });

  test('has no part that begins elsewhere, and none without the first', () => {
    expect(continuedTo(30, a, part('B', 20, 30), part('C', 22, 30))).toEqual([]);
    expect(continuedTo(30, b, c)).toEqual([]);
  });

  test.each<[string, Partial<LineGivenBack>]>([
    ['length', { wholeSpan: { length: 366, free: false } }],
    ['freedom', { wholeSpan: { length: 365, free: true } }],
  ])('has no part that is a share of a span of another %s', (_, more) => {
    const first = part('A', 15, 21, { wholeSpan: { length: 365, free: false } });
    expect(continuedTo(30, first, part('B', 21, 30, { wholeSpan: { length: 365, free: false } }))).toEqual(['A,B']);
    expect(continuedTo(30, first, part('B', 21, 30, more))).toEqual([]);
  });

  test('and whose other lines have many parts goes on, through further changes at the instant; 200 later parts are stored', () => {
    const seats = (count: number) =>
      Array.from({ length: count }, (_, n) => part(`${n}`, 15 + n, n === count - 1 ? 30_000 : 16 + n, { naturalEnd: 30_000, units: '2' }));
    const plan = part('plan', 15, 30_000, { naturalEnd: 30_000 });
    const continuedBy = (count: number) => {
      const after = givenBackSoFar({ ...contract, began: 1, givenBack: [] }, 15, [plan, ...seats(count)]);
      const stored = givenBackSoFar({ ...contract, givenBack: after }, 15, [back('monthly', { until: 45 })]);
      const parts = (units: string) =>
        continued({ ...contract, givenBack: stored }, charge(price('10'), { units, span: { start: 15, end: 30_000 } })).continues;
      return [stored.length, parts('1')?.length, parts('2')?.length];
    };
    expect(continuedBy(201)).toEqual([203, 1, 1]);
    expect(continuedBy(500)).toEqual([203, 1, 0]);
  });
});

test('30.01 a month in parts, there and back at one instant: exactly that is charged, and both parts are named', () => {
  const story = signs('2025-06-01', monthly('10'));
  cancelsFor(story, '2025-06-02', '2025-06-20');
  changes(story, '2025-06-05', changeToPlan(monthly('30.01')));
  takesBack(story, '2025-06-06');
  const before = paid(story);
  changes(story, '2025-06-11', changeToPlan(monthly('50')));
  changes(story, '2025-06-11', changeToPlan(monthly('30.01'), { downgradeAllowed: true }));
  const line = [...story.ledger.lines.values()].findLast(({ source, kind }) => source === 'plan' && kind !== 'credit');
  if (line === undefined) throw new Error('a charge');
  const { amounts, recomputed, sentences } = explainLine(line);
  expect(recomputed).toEqual(amounts);
  expect(sentences.filter((one) => /^(Goes on|Then) with/.test(one))).toHaveLength(2);
  expect(paid(story)).toBe(before);
});
