import { dec, larger, smaller, ZERO } from '../money/decimal.ts';
import type { Taxed } from './tax.ts';

/** What has been left of lines that were charged, by what gave back of them. */
export interface LeftOfCharge {
  totalExcludingTax: string;
  taxAmount: string;
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
