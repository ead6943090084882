import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { continued, givenBackSoFar } from '../../../billing/contract/change/continue.ts';
import type { LineGivenBack } from '../../../billing/invoice/continued.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { invoicesOf, signs } from '../../support-billing/story.ts';
import { charge } from '../invoice/build.ts';

// What a change gives back at an instant, the next contract may go on with at that very instant.

const contract = signs('2025-06-01', planOffer('pro', { price: '10' })).contract();
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
    reverseCharge: false,
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
  const predecessor = (...givenBack: LineGivenBack[]) => ({ ...contract, began: 15, givenBack });

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
  const goesOnWith = (...givenBack: LineGivenBack[]) => ids(continued({ ...contract, givenBack }, charge(price('10'))).continues);

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
    expect(ids(continued({ ...contract, givenBack }, weekly).continues)).toEqual(['B']);
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
