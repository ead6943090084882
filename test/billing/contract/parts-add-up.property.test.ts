import fc from 'fast-check';
import { at, DAY, iso } from '../../../billing/calendar/instant.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { Line, TaxContext } from '../../../billing/invoice/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { dec, sum, text } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { cancelsFor, made, monthly, paid, takesBack } from '../../support-billing/known-ends.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signs } from '../../support-billing/story.ts';

// A change that is computed up to an end of the contract, which is then moved again and again and taken back, charges
// in parts what it would have charged at once, and gives back in parts what it would have given back at once.

const START = at('2025-06-01');
const DAYS = 30;

test('1.00 to 2.00, the end put off twice and taken back: 1.00 comes back and 2.00 is charged, in thirds', () => {
  const story = signs('2025-06-01', monthly('1'));
  cancelsFor(story, '2025-06-01', '2025-06-11');
  changes(story, '2025-06-01', changeToPlan(monthly('2')));
  cancelsFor(story, '2025-06-02', '2025-06-21');
  takesBack(story, '2025-06-03');
  expect(made(story, 1)).toEqual([
    '2025-06-01 0.34: credit plan -0.33, plan 0.67',
    '2025-06-02 0.32: credit plan -0.34, plan 0.66',
    '2025-06-03 0.34: credit plan -0.33, plan 0.67',
  ]);
  expect(paid(story)).toBe('2.00');
  const [back, charged] = [...story.ledger.lines.values()].slice(-2).map((line) => explainLine(line).sentences);
  expect(back?.slice(2, 5)).toEqual([
    'Earlier credits gave back 0.67 of it; no more than the rest can follow.',
    'With the 1728000000 / 2592000000 before it: times 2592000000 / 2592000000 (1).',
    'Rounded once to 2 digits, half away from zero: -1 to -1.00, less -0.67 for the time before: -0.33.',
  ]);
  expect(charged?.slice(3, 6)).toEqual([
    'Goes on from 1728000000 / 2592000000 that were charged before: times 2592000000 / 2592000000 (1).',
    'Rounded once to 2 digits, half away from zero: 2 to 2.00.',
    'Less 1.33 for the time before: 0.67.',
  ]);
});

/** So much that half a day is worth a cent after the discount: a part of nothing makes no credit line. */
const amount = fc.integer({ min: 1_200, max: 99_999 });
const tax = fc.constantFrom<TaxContext>(
  NO_TAX,
  ...(['tax_included', 'tax_excluded'] as const).map((policy) => ({
    ...NO_TAX,
    policy,
    rates: [{ taxCode: null, country: null, state: null, rate: '0.19' }],
  })),
);
const discount = fc.option(
  fc.constantFrom(
    { type: 'percentage', amount: '33.3', currency: null, duration: 3, originalDiscountId: null, slug: 'd', name: 'D' } as const,
    { type: 'percentage', amount: '50', currency: null, duration: 3, originalDiscountId: null, slug: 'd', name: 'D' } as const,
  ),
);
/** Days on which the end is moved, with the days to come until the new one. */
const moves = fc.array(fc.record({ wait: fc.nat(6), ahead: fc.integer({ min: 1, max: 20 }) }), { minLength: 1, maxLength: 6 });

const digits = fc.constantFrom<[Currency, number]>(['usd', 2], ['jpy', 0], ['kwd', 3]);

const FIELDS = ['subtotal', 'discountAmount', 'totalExcludingTax', 'taxAmount', 'totalIncludingTax'] as const;

/** What lines of a kind come to, all amounts. */
function sums({ ledger }: Story, fits: (line: Line) => boolean): string[] {
  const lines = [...ledger.lines.values()].filter(fits);
  for (const { amounts, recomputed } of lines.map(explainLine)) expect(recomputed).toEqual(amounts);
  return FIELDS.map((field) => text(sum(lines.map((line) => dec(line[field])))));
}

test('the end moved any number of times: what comes back and what is charged are those of a change without it', () => {
  fc.assert(
    fc.property(amount, amount, fc.nat(9), tax, discount, moves, digits, (a, b, day, taxed, off, all, [currency, places]) => {
      const words: SignWords = { tax: taxed, discount: off };
      const offer = (slug: string, own: number) => planOffer(slug, { price: (own / 10 ** (places + 1)).toFixed(places + 1), currency });
      const [one, other] = [offer('one', a), offer('other', b)];
      const [moved, plain] = [true, false].map((hasEnd) => {
        const story = signs(iso(START), one, words);
        let now = START + day * DAY;
        let end = now;
        const cancels = (ahead: number): void => {
          end = now + ahead * DAY;
          if (hasEnd) cancelsFor(story, iso(now), iso(end));
        };
        cancels(all[0]?.ahead ?? 1);
        changes(story, iso(now), changeToPlan(other, { downgradeAllowed: true }));
        for (const { wait, ahead } of all.slice(1)) {
          // before it comes
          now = Math.min(now + wait * DAY, end - DAY / 2, START + DAYS * DAY - DAY);
          cancels(ahead);
        }
        if (hasEnd) takesBack(story, iso(now));
        return story;
      });
      if (moved === undefined || plain === undefined) throw new Error('two lives');
      for (const fits of [({ kind }: Line) => kind === 'credit', ({ kind }: Line) => kind === 'recurring'])
        expect(sums(moved, fits)).toEqual(sums(plain, fits));
    }),
    runs(),
  );
});
