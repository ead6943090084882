import { FULL } from '../../calendar/ratio.ts';
import { chargeLines } from '../../invoice/charge.ts';
import type { TaxContext } from '../../invoice/types.ts';
import { dec, sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { boughtUnits } from '../../pricing/price.ts';
import { recurringSources } from '../period/sources.ts';
import type { Terms } from '../types.ts';

/** The price of a cycle: text in the currency's minor digits. `tax` is a part of `total`. */
export interface CyclePrice {
  total: string;
  tax: string;
}

/**
 * What one whole cycle of some terms costs with tax: their recurring prices with the bought units, before discount and
 * free cycles. Usage isn't among them.
 *
 * @example
 * const { terms } = signs('2025-01-01', plan('pro', { price: '100', features: { seats: seats('10', '5') } })).contract();
 * cyclePrice(terms, taxAt('0.19', 'tax_excluded')) // { total: '178.50', tax: '28.50' }
 */
export function cyclePrice(terms: Terms, tax: TaxContext): CyclePrice {
  const charges = recurringSources(terms).map(({ source, name, price }) => ({
    contractId: '',
    chargeKey: source,
    kind: 'recurring' as const,
    source,
    name,
    price,
    units: boughtUnits(price),
    ratio: FULL,
    span: null,
    dueDate: 0,
    schedulingPolicy: 'immediate' as const,
    periodIdx: null,
    discountable: true,
    free: false,
  }));
  const lines = chargeLines(charges, { currency: terms.currency, tax, discount: null, newId: (prefix) => prefix });
  const sumOf = (amounts: string[]): string => moneyText(sum(amounts.map(dec)), terms.currency);
  return { total: sumOf(lines.map(({ totalIncludingTax }) => totalIncludingTax)), tax: sumOf(lines.map(({ taxAmount }) => taxAmount)) };
}
