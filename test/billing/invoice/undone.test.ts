import fc from 'fast-check';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import { type LinesLeft, withoutUndone } from '../../../billing/invoice/undone.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { charge, context, priceOf } from './build.ts';

const [plain = {} as Line] = chargeLines([charge(priceOf('1'))], context());

interface Written {
  amount: string;
  source: string;
  span: [start: number, end: number] | null;
  /** the place of the line that a credit gives back; null: it is a charge */
  of: number | null;
}

const AMOUNTS = ['unitPrice', 'subtotal', 'discountAmount', 'totalExcludingTax', 'taxAmount', 'totalIncludingTax'] as const;

function lineOf({ amount, source, span, of }: Written, place: number): Line {
  const figures = Object.fromEntries(AMOUNTS.map((field) => [field, of === null ? amount : `-${amount}`]));
  const type = of === null ? 'charge' : 'credit';
  return {
    ...{ ...plain, ...figures, source, id: `Item_${place}`, kind: of === null ? 'recurring' : 'credit' },
    span: span === null ? null : { start: span[0], end: span[1] },
    creditOf: of === null ? null : `Item_${of}`,
    derivation: { ...plain.derivation, type, naturalEnd: 30 },
  };
}

const written: fc.Arbitrary<Written> = fc.record({
  amount: fc.constantFrom('1', '1.00', '2', '0'),
  source: fc.constantFrom('plan', 'feature:seats'),
  span: fc.option(fc.tuple(fc.nat(2), fc.integer({ min: 10, max: 11 }))),
  of: fc.option(fc.nat(12)),
});

/** The same by looking at every line for each credit. */
function byLooking(lines: readonly Line[], hasEnded: boolean): LinesLeft<Line> {
  const undone = new Set<Line>();
  const credits = lines.filter(({ kind }) => kind === 'credit');
  const isNegative = (credit: Line, one: Line) => AMOUNTS.every((field) => dec(credit[field]).plus(one[field]).isZero());
  const pair = (credit: Line, undoes: (one: Line) => boolean): boolean => {
    const found = lines.find((one) => !undone.has(one) && one.kind !== 'credit' && undoes(one) && isNegative(credit, one));
    if (found !== undefined) undone.add(credit).add(found);
    return found !== undefined;
  };
  for (const credit of credits) pair(credit, ({ id }) => credit.creditOf === id);
  const stays = new Set<string | null>();
  for (const credit of credits.toReversed()) {
    if (undone.has(credit) || stays.has(credit.creditOf)) continue;
    const goesOn = ({ source, span }: Line) =>
      source === credit.source && span !== null && credit.span !== null && span.end === credit.span.end && span.start >= credit.span.start;
    if (!pair(credit, goesOn) && !hasEnded) stays.add(credit.creditOf);
  }
  return { left: lines.filter((line) => !undone.has(line)), undone: [...undone] };
}

it('takes out the same lines as by looking at every line for each credit', () => {
  fc.assert(
    fc.property(fc.array(written, { maxLength: 14 }), fc.boolean(), (some, hasEnded) => {
      const lines = some.map(lineOf);
      expect(withoutUndone(lines, hasEnded)).toEqual(byLooking(lines, hasEnded));
    }),
    { numRuns: 2_000 },
  );
});

it.each([false, true])('looks at each of 3,000 charges and 3,000 credits some times only (undone by each other: %s)', (undoEachOther) => {
  let looks = 0;
  const looked = (line: Line): Line =>
    new Proxy(line, {
      get: (of, field) => {
        looks += 1;
        return Reflect.get(of, field);
      },
    });
  const lines = Array.from({ length: 6_000 }, (_, n) => {
    const amount = String(Math.floor(n / 2) + 1);
    return looked(lineOf({ amount, source: 'plan', span: [n, 30_000], of: n % 2 === 0 ? null : undoEachOther ? n - 1 : 9_999 }, n));
  });
  const { undone } = withoutUndone(lines, false);
  expect(undone).toHaveLength(undoEachOther ? 6_000 : 0);
  expect(looks).toBeLessThanOrEqual(40 * lines.length);
});
