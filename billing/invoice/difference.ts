import type { Instant } from '../calendar/instant.ts';
import type { NewId } from '../contract/types.ts';
import type { DifferenceDerivation, PriceCompared } from '../explain/derivation.ts';
import { readDerivation } from '../explain/explain-line.ts';
import { allocate } from '../money/allocate.ts';
import { type Decimal, dec, larger, sum, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import { amountsOf, asStored, taxFields } from './line.ts';
import { taxOf } from './tax.ts';
import type { Line, TaxContext } from './types.ts';

/** The full price of one source before and after a change; null where one of the two contracts hasn't that source. */
interface Compared {
  source: string;
  before: Line | null;
  after: Line | null;
}

/** What lines of difference need besides the prices. */
export interface DifferenceContext {
  at: Instant;
  tax: TaxContext;
  newId: NewId;
}

/**
 * The lines of a change that charges the difference of the full prices: all new ones less all old ones, at least
 * nothing. A line stands for each price that rises; what other prices fall is taken off the rises in proportion, in
 * whole minor units. Each pays for the time from the change to the end of its own cycle.
 *
 * @param before lines of the old contract's full prices; `after`: of the new one's
 * @example
 * const june = { start: at('2025-06-01'), end: at('2025-07-01') };
 * const lines = (amount) => chargeLines([charge(price(amount), { span: june })], context());
 * const terms = { at: at('2025-06-16'), tax: context().tax, newId };
 * differenceLines(lines('30'), lines('60'), terms).map(({ subtotal }) => subtotal) // ['30.00']
 * differenceLines(lines('60'), lines('30'), terms) // []
 */
export function differenceLines(before: readonly Line[], after: readonly Line[], context: DifferenceContext): Line[] {
  const sources = [...new Set([...before, ...after].map(({ source }) => source))];
  const of = (lines: readonly Line[], source: string): Line | null => lines.find((line) => line.source === source) ?? null;
  const compared = sources.map((source): Compared => ({ source, before: of(before, source), after: of(after, source) }));
  const currency = after[0]?.currency;
  if (currency === undefined) return [];
  const changes = compared.map((one) => baseOf(one.after).minus(baseOf(one.before)));
  const rises = changes.map((change) => larger(change, ZERO));
  const parts = allocate(larger(sum(changes), ZERO), rises, currency);
  return compared.flatMap(({ after: line }, index) => {
    const part = parts[index];
    return line === null || part === undefined || part.isZero() ? [] : [differenceLine(line, part, compared, context)];
  });
}

/** The amount that tax is computed from: a price that is absent costs nothing. */
function baseOf(line: Line | null): Decimal {
  if (line === null) return ZERO;
  return dec(line.taxPolicy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax);
}

function differenceLine(line: Line, part: Decimal, compared: readonly Compared[], { at, tax, newId }: DifferenceContext): Line {
  const { source, currency, taxCode, periodIdx } = line;
  const taxed = taxOf(part, taxCode, tax, currency);
  const { policy, rate, reverseCharge, note } = taxed;
  const span = { start: at, end: line.span?.end ?? null };
  const derivation: DifferenceDerivation = {
    type: 'difference',
    currency,
    source,
    period: { ...span, idx: periodIdx },
    compared: compared.map(priceCompared),
    tax: { policy, taxCode, rate, reverseCharge, note },
  };
  return {
    ...line,
    id: newId('Item'),
    span,
    unitPrice: moneyText(part, currency),
    unitCount: '1',
    ...amountsOf({ subtotal: part, discount: ZERO }, taxed, currency),
    discountDescription: null,
    description: `The new full price less the old one`,
    ...taxFields(taxed),
    derivation: asStored(derivation),
  };
}

function priceCompared({ source, before, after }: Compared): PriceCompared {
  const name = after?.name ?? before?.name ?? source;
  return { source, name, before: chargeOf(before), after: chargeOf(after) };
}

function chargeOf(line: Line | null): PriceCompared['before'] {
  const derivation = line === null ? null : readDerivation(line.derivation);
  return derivation?.type === 'charge' ? derivation : null;
}
