import type { LineDerivation } from '../explain/derivation.ts';
import type { Currency } from '../money/currency.ts';
import type { Decimal } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import type { Taxed, TaxRule } from './tax.ts';
import type { Derivation, Line } from './types.ts';

/** The amounts of a line as decimal text; `subtotal` − `discountAmount` is what tax is computed from. */
export type LineAmounts = Pick<Line, 'subtotal' | 'discountAmount' | 'totalExcludingTax' | 'taxAmount' | 'totalIncludingTax'>;

/**
 * Amounts as a line has them: exactly the currency's minor digits.
 *
 * @example
 * const taxed = applyTax(dec(90), '0.10', 'tax_excluded', 'usd');
 * amountsOf({ subtotal: dec(100), discount: dec(10) }, taxed, 'usd').totalIncludingTax // '99.00'
 */
export function amountsOf(before: { subtotal: Decimal; discount: Decimal }, taxed: Taxed, currency: Currency): LineAmounts {
  return {
    subtotal: moneyText(before.subtotal, currency),
    discountAmount: moneyText(before.discount, currency),
    totalExcludingTax: moneyText(taxed.totalExcludingTax, currency),
    taxAmount: moneyText(taxed.taxAmount, currency),
    totalIncludingTax: moneyText(taxed.totalIncludingTax, currency),
  };
}

/** The fields of a line that say how it is taxed. */
export function taxFields(rule: TaxRule): Pick<Line, 'taxCode' | 'taxRate' | 'taxPolicy' | 'reverseCharge'> {
  return { taxCode: rule.taxCode, taxRate: rule.rate, taxPolicy: rule.policy, reverseCharge: rule.reverseCharge };
}

/** A derivation in the untyped shape in which a line stores it: all of them are plain JSON. */
export function asStored(derivation: LineDerivation): Derivation {
  return { ...derivation };
}
