import { type Currency, minorDigits } from '../../money/currency.ts';
import { dec } from '../../money/decimal.ts';
import type { Price } from '../../pricing/price.ts';
import type { FieldProblem } from '../../problem.ts';
import { usageSources } from '../period/sources.ts';
import type { Configuration, Terms, ThresholdPlace } from '../types.ts';

type Given = Partial<Record<keyof Pick<Configuration, 'invoiceThreshold'>, string | null>>;
type Threshold = Pick<Configuration, 'invoiceThreshold' | 'invoiceThresholdFrom'>;

/**
 * The invoice threshold of a contract: from the first place that has one, of contract, customer and vendor. Null on the
 * contract turns it off there, whatever the other places say.
 *
 * @example
 * thresholdOf({ contract: {}, customer: { invoiceThreshold: '200' }, vendor: { invoiceThreshold: '500' } }).invoiceThresholdFrom // 'customer'
 * thresholdOf({ contract: { invoiceThreshold: null }, customer: {}, vendor: { invoiceThreshold: '500' } }).invoiceThreshold // null
 */
export function thresholdOf(places: Record<ThresholdPlace, Given>): Threshold {
  const { contract, customer, vendor } = places;
  if (contract.invoiceThreshold !== undefined) return from('contract', contract.invoiceThreshold);
  if (customer.invoiceThreshold != null) return from('customer', customer.invoiceThreshold);
  return from('vendor', vendor.invoiceThreshold ?? null);
}

const from = (place: ThresholdPlace, invoiceThreshold: string | null): Threshold => ({
  invoiceThreshold,
  invoiceThresholdFrom: invoiceThreshold === null ? null : place,
});

// The rounding mode is given as a number, as in the rounding of money. Rounded down, a threshold would be reached too
// early.
const AWAY_FROM_ZERO = 0;

/**
 * Settings with the invoice threshold in the digits of a contract's currency, rounded up where it has more: customer
 * and vendor give one number for contracts in all currencies. Usage comes to the number and to what it is rounded up to
 * at the same time, since it is counted in whole coins.
 *
 * @example thresholdIn('jpy', { ...DEFAULT_CONFIGURATION, invoiceThreshold: '50.25' }).invoiceThreshold // '51'
 */
export function thresholdIn(currency: Currency, configuration: Configuration): Configuration {
  const { invoiceThreshold: given } = configuration;
  const digits = minorDigits(currency);
  if (given == null || (given.split('.')[1] ?? '').length <= digits) return configuration;
  return { ...configuration, invoiceThreshold: dec(given).toDecimalPlaces(digits, AWAY_FROM_ZERO).toFixed(digits) };
}

/**
 * What keeps a contract from having an invoice threshold: a price at which further units make earlier ones cheaper or
 * dearer, so that what was invoiced would be wrong, or an amount that the currency has no coins for.
 *
 * @param field the wire name of the field at fault, and `fix`: what its sender has to give instead
 * @example
 * const offer = plan('pro', { features: { calls: usageTiered('volume', tiers(['10', '2'], [null, '1'])) } });
 * const { terms } = signs('2025-01-01', offer).contract();
 * checkThreshold(terms, { invoiceThreshold: '100' }, { field: 'invoice_threshold', fix: 'give null' })[0].code // 'threshold_not_possible'
 */
export function checkThreshold(
  terms: Terms,
  { invoiceThreshold, invoiceThresholdFrom }: Threshold,
  { field, fix }: { field: string; fix: string },
): FieldProblem[] {
  if (invoiceThreshold === null) return [];
  const problems = usageSources(terms).flatMap(({ name, price }): FieldProblem[] => {
    const why = repricing(price);
    const message = `usage of “${name}” has ${why}, so no part of it can be invoiced before the end of its period: ${fix}`;
    return why === null ? [] : [{ field, code: 'threshold_not_possible', message }];
  });
  const digits = minorDigits(terms.currency);
  if (invoiceThresholdFrom === 'contract' && dec(invoiceThreshold).decimalPlaces() > digits)
    problems.push({
      field,
      code: 'too_many_digits',
      message: `give an amount in ${terms.currency} with at most ${digits} digits after the point`,
    });
  return problems;
}

/** In which way a price prices earlier units again when more are used; null: it doesn't. */
function repricing({ strategy }: Price): string | null {
  if (strategy.kind === 'usage_tiered') return strategy.tierMode === 'volume' ? 'volume tiers' : null;
  return strategy.kind === 'usage' && strategy.overUsageChargeStrategy === 'all_usage_overcharge'
    ? 'the over-usage strategy all_usage_overcharge'
    : null;
}
