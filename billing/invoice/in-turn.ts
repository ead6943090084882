import { type Ratio, share } from '../calendar/ratio.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, ZERO } from '../money/decimal.ts';
import { roundMoney } from '../money/round.ts';
import { applyTax, type Taxed, type TaxRule } from './tax.ts';

/** A share that may follow others of the same whole. */
export interface ShareInTurn extends Ratio {
  /** the parts before it together; absent: it is the first */
  before?: number | undefined;
}

/** An amount for a share that may follow others. */
export interface AmountInTurn {
  /** of all parts up to this one, before rounding */
  exact: Decimal;
  /** the same, rounded */
  all: Decimal;
  /** of the parts before, rounded */
  before: Decimal;
  /** of this part: the difference of the two */
  rounded: Decimal;
}

/**
 * The share of an amount that one of several parts comes to: all parts up to it, rounded, less those before it,
 * rounded. So the parts add up to what all of them come to at once, to the cent, however many there are.
 *
 * @example
 * const day = (before) => shareInTurn(dec('2'), { part: 10, whole: 30, before }, 'usd').rounded;
 * [day(), day(10), day(20)] // ['0.67', '0.66', '0.67']
 */
export function shareInTurn(amount: Decimal, { part, whole, before: earlier }: ShareInTurn, currency: Currency): AmountInTurn {
  const exact = share(amount, { part: part + (earlier ?? 0), whole });
  const all = roundMoney(exact, currency);
  if (earlier === undefined) return { exact, all, before: ZERO, rounded: all };
  const before = roundMoney(share(amount, { part: earlier, whole }), currency);
  return { exact, all, before, rounded: all.minus(before) };
}

/**
 * An amount of one of several parts with its tax: the tax of all up to it less the tax of those before it.
 *
 * @example
 * const parts = [undefined, 10, 20].map((before) => shareInTurn(dec('1'), { part: 10, whole: 30, before }, 'usd'));
 * parts.map((one) => taxInTurn(one, { rate: '0.19', policy: 'tax_excluded' }, 'usd').taxAmount) // ['0.06', '0.07', '0.06']
 */
export function taxInTurn({ all, before }: AmountInTurn, { rate, policy }: Pick<TaxRule, 'rate' | 'policy'>, currency: Currency): Taxed {
  const together = applyTax(all, rate, policy, currency);
  if (before.isZero()) return together;
  const earlier = applyTax(before, rate, policy, currency);
  return {
    totalExcludingTax: together.totalExcludingTax.minus(earlier.totalExcludingTax),
    taxAmount: together.taxAmount.minus(earlier.taxAmount),
    totalIncludingTax: together.totalIncludingTax.minus(earlier.totalIncludingTax),
  };
}
