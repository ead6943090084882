import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, larger, smaller, sum, ZERO } from '../money/decimal.ts';
import { moneyText, roundMoney } from '../money/round.ts';

/** What was given back of a line, positive; `amount` including tax. */
export interface GivenBack {
  amount: string;
  taxAmount: string;
}

/** A line of a family, with what credit notes took off it so far (positive, tax included). */
export interface FamilyLine {
  id: string;
  totalIncludingTax: string;
  taxAmount: string;
  noted: GivenBack;
}

/**
 * Divides what the negative lines of a family give back among those that charged: the latest first, each up to what its
 * credit notes have left. A family is a line with the credit lines of the changes that gave it back, or the charge of a
 * closed usage period with its corrections.
 *
 * @param family in the order in which the lines were written
 * @returns by line; lines of which nothing is given back are left out
 * @example
 * const noted = { amount: '0.00', taxAmount: '0.00' };
 * const charged = { id: 'Item_1', totalIncludingTax: '100.00', taxAmount: '0.00', noted };
 * const credit = { id: 'Item_2', totalIncludingTax: '-50.00', taxAmount: '0.00', noted };
 * givenBackIn([charged, credit], 'usd').get('Item_1') // { amount: '50.00', taxAmount: '0.00' }
 */
export function givenBackIn(family: readonly FamilyLine[], currency: Currency): Map<string, GivenBack> {
  const negative = family.filter((line) => dec(line.totalIncludingTax).lt(0));
  let amount = sum(negative.map((line) => dec(line.totalIncludingTax).neg()));
  let tax = sum(negative.map((line) => dec(line.taxAmount).neg()));
  const given = new Map<string, GivenBack>();
  for (const line of family.toReversed()) {
    const left = leftOf(line);
    if (!amount.gt(0) || !left.amount.gt(0)) continue;
    const part = smaller(amount, left.amount);
    const share = part.eq(left.amount) ? left.tax : roundMoney(tax.times(part).div(amount), currency);
    const taxPart = part.eq(amount) && tax.lte(left.tax) ? tax : smaller(share, left.tax);
    given.set(line.id, { amount: moneyText(part, currency), taxAmount: moneyText(taxPart, currency) });
    amount = amount.minus(part);
    tax = larger(tax.minus(taxPart), ZERO);
  }
  return given;
}

function leftOf({ totalIncludingTax, taxAmount, noted }: FamilyLine): { amount: Decimal; tax: Decimal } {
  return { amount: dec(totalIncludingTax).minus(noted.amount), tax: dec(taxAmount).minus(noted.taxAmount) };
}
