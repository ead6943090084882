import type { Pause } from '../../calendar/pauses.ts';
import { FULL } from '../../calendar/ratio.ts';
import { type Charge, chargeLines } from '../../invoice/charge.ts';
import type { TaxContext } from '../../invoice/types.ts';
import { dec, sum } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';
import { boughtUnits, isUsagePriced } from '../../pricing/price.ts';
import { discountIn } from '../period/cycles-left.ts';
import { recurringSources, type Source, sourcesOf } from '../period/sources.ts';
import type { Contract, Terms } from '../types.ts';

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
  const lines = chargeLines(recurringSources(terms).map(wholeCharge), { ...CONTEXT, currency: terms.currency, tax, discount: null });
  const sumOf = (amounts: string[]): string => moneyText(sum(amounts.map(dec)), terms.currency);
  return { total: sumOf(lines.map(({ totalIncludingTax }) => totalIncludingTax)), tax: sumOf(lines.map(({ taxAmount }) => taxAmount)) };
}

/** One full charge of a price: `subtotal` before discount and tax, `total` after them. */
export interface TotalChargeEstimate {
  subtotal: string;
  total: string;
}

/**
 * One full charge of each price of a contract with its units, as if no cycle were free. A flat discount is spread over
 * the recurring prices, as on an invoice with all of them.
 *
 * @returns by source: `plan`, `feature:{slug}`, `group:{name}`
 * @example
 * const offer = plan('pro', { price: '150', features: { seats: seats('10', '5') } });
 * const contract = { ...signs('2025-01-01', offer).contract(), discount: discountOf('flat', '20') };
 * const estimates = totalChargeEstimates(contract, taxAt('0.10', 'tax_excluded'), []);
 * estimates.get('plan') // { subtotal: '150.00', total: '148.50' }
 * estimates.get('feature:seats') // { subtotal: '50.00', total: '49.50' }
 */
export function totalChargeEstimates(contract: Contract, tax: TaxContext, pauses: Pause[]): Map<string, TotalChargeEstimate> {
  const { terms, currentIdx } = contract;
  const discount = discountIn(contract, currentIdx ?? 1, pauses);
  const lines = chargeLines(sourcesOf(terms).map(wholeCharge), { ...CONTEXT, currency: terms.currency, tax, discount });
  return new Map(lines.map(({ source, subtotal, totalIncludingTax }) => [source, { subtotal, total: totalIncludingTax }]));
}

const CONTEXT = { newId: (prefix: string): string => prefix };

function wholeCharge({ source, name, trigger, price }: Source): Charge {
  const discountable = trigger === 'every_cycle' && !isUsagePriced(price);
  return {
    contractId: '',
    chargeKey: source,
    kind: discountable ? 'recurring' : 'usage',
    source,
    name,
    price,
    units: boughtUnits(price),
    ratio: FULL,
    span: null,
    dueDate: 0,
    schedulingPolicy: 'immediate',
    periodIdx: null,
    discountable,
    free: false,
  };
}
