import { type Cycle, isPeriodic } from '../calendar/cycle.ts';
import type { Instant } from '../calendar/instant.ts';
import type { ChargeDerivation, CreditDerivation, DiscountStep } from '../explain/derivation.ts';
import { readDerivation } from '../explain/explain-line.ts';
import type { Currency } from '../money/currency.ts';
import type { Price } from '../pricing/price.ts';
import type { Credit } from './credit.ts';
import { amountsOf, type LineAmounts } from './line.ts';
import type { ChargedLine } from './types.ts';

/**
 * What a change gave back of a line, from the instant of the change or a later one on, even if that was zero: a charge
 * that continues the line from there has the same amounts.
 */
export interface LineGivenBack {
  source: string;
  currency: Currency;
  price: Price;
  /** how often the price was charged */
  cycle?: Cycle;
  units: string;
  discount: DiscountStep | null;
  /** end of the time that was given back */
  until: Instant;
  /** the end of the line's natural period; absent: a charge may continue the line whenever its own period ends */
  naturalEnd?: Instant;
  /**
   * of `once` and `constant`: the length of the span that the whole price pays for, in milliseconds, and what of it is
   * free; what goes on is charged so after a known end too
   */
  wholeSpan?: Pick<ChargeDerivation, 'free' | 'freePart'> & { length: number };
  /** positive */
  amounts: LineAmounts;
  credit: CreditDerivation;
}

/** What was given back of a line, and of those that had been charged on from its end, in the order of their time. */
export type GivenBackInParts = readonly [LineGivenBack, ...LineGivenBack[]];

/**
 * A line with what is given back of it.
 *
 * @returns null for a line that doesn't say what it charged for
 * @example
 * const june = { start: at('2025-06-01'), end: at('2025-07-01') };
 * const [line] = chargeLines([charge(price('100'), { span: june })], context());
 * const credit = creditOf(line, { part: 15, whole: 30 }, at('2025-06-16'));
 * lineGivenBack(line, credit, june.end).amounts.subtotal // '50.00'
 */
export function lineGivenBack(
  line: ChargedLine,
  { subtotal, discount, taxed, derivation }: Credit,
  until: Instant,
  naturalEnd?: Instant,
): LineGivenBack | null {
  const charge = line.derivation.type === 'charge' ? readDerivation(line.derivation) : null;
  if (charge?.type !== 'charge') return null;
  const { price, cycle, units, discount: step, ratio, free, freePart } = charge;
  return {
    source: line.source,
    currency: line.currency,
    price: price.price,
    ...(cycle ? { cycle } : {}),
    units,
    discount: step,
    until,
    ...(naturalEnd === undefined ? {} : { naturalEnd }),
    ...(cycle === undefined || isPeriodic(cycle) ? {} : { wholeSpan: { length: ratio.whole, free, ...(freePart ? { freePart } : {}) } }),
    amounts: amountsOf({ subtotal, discount }, taxed, line.currency),
    credit: derivation,
  };
}

/** Whether two discounts take the same off a line: the same one, with the same share of a flat amount. */
export function sameDiscount(a: DiscountStep | null, b: DiscountStep | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.id === b.id &&
    a.type === b.type &&
    a.amount === b.amount &&
    a.share === b.share &&
    a.part?.num === b.part?.num &&
    a.part?.den === b.part?.den
  );
}
