import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, larger, smaller, ZERO } from '../money/decimal.ts';
import { roundMoney } from '../money/round.ts';
import type { Taxed } from './tax.ts';
import type { TaxPolicy } from './types.ts';

/** What is left of charged lines, after what was given back of them. */
export interface LeftOfCharge {
  totalExcludingTax: string;
  taxAmount: string;
  /**
   * more is given back than was charged under any one tax rule: then a share of these amounts goes back, tax included
   */
  inProportion?: true;
}

/**
 * An amount that gives back what was charged, but no more than is left of that.
 *
 * @example
 * const back = applyTax(dec('-119.00'), '0.19', 'tax_included', 'eur');
 * withinLeft(back, { totalExcludingTax: '50.00', taxAmount: '9.50' }).totalIncludingTax // '-59.5'
 */
export function withinLeft(given: Taxed, left: LeftOfCharge): Taxed {
  const most = larger(dec(left.totalExcludingTax), ZERO);
  const mostTax = larger(dec(left.taxAmount), ZERO);
  const isAll = given.totalExcludingTax.neg().gte(most);
  const totalExcludingTax = isAll ? most.neg() : given.totalExcludingTax;
  const taxAmount = isAll ? mostTax.neg() : smaller(given.taxAmount.neg(), mostTax).neg();
  return { totalExcludingTax, taxAmount, totalIncludingTax: totalExcludingTax.plus(taxAmount) };
}

/**
 * Gives back a share of what is left, and of its tax: the share that `back` is of `charged`. If `back` is all that was
 * charged, it gives back all that is left.
 *
 * @param back what is given back, and `charged` what it is a part of: subtotals, positive
 * @param policy by which the line is taxed: its amounts begin with that of its prices
 * @example
 * const left = { totalExcludingTax: '144.03', taxAmount: '27.37' };
 * shareOfLeft(left, { back: dec('160'), charged: dec('160') }, 'tax_excluded', 'usd').totalIncludingTax // '-171.4'
 * shareOfLeft(left, { back: dec('80'), charged: dec('160') }, 'tax_excluded', 'usd').totalIncludingTax // '-85.71'
 */
export function shareOfLeft(
  { totalExcludingTax, taxAmount }: LeftOfCharge,
  { back, charged }: { back: Decimal; charged: Decimal },
  policy: TaxPolicy,
  currency: Currency,
): Taxed {
  const [net, tax] = [larger(dec(totalExcludingTax), ZERO), larger(dec(taxAmount), ZERO)];
  const part = (amount: Decimal): Decimal => roundMoney(amount.times(back).div(charged), currency).neg();
  if (policy === 'tax_excluded') {
    const given = { totalExcludingTax: part(net), taxAmount: part(tax) };
    return { ...given, totalIncludingTax: given.totalExcludingTax.plus(given.taxAmount) };
  }
  const given = { totalIncludingTax: part(net.plus(tax)), taxAmount: part(tax) };
  return { ...given, totalExcludingTax: given.totalIncludingTax.minus(given.taxAmount) };
}
