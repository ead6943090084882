import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, ONE, ZERO } from '../money/decimal.ts';
import { roundMoney } from '../money/round.ts';
import { fail } from '../problem.ts';
import type { TaxContext, TaxPolicy, TaxRate } from './types.ts';
import { isMemberState, isVatIdForm } from './vat-id.ts';

/** How a line is taxed. `rate` "0.19" = 19 %, null when no rate applies; `note` is meant for the invoice. */
export interface TaxRule {
  policy: TaxPolicy;
  taxCode: string | null;
  rate: string | null;
  reverseCharge: boolean;
  note: string | null;
}

/** A line's amounts, all in the currency's minor unit: including = excluding + tax. */
export interface Taxed {
  totalExcludingTax: Decimal;
  taxAmount: Decimal;
  totalIncludingTax: Decimal;
}

/** The sentence on an invoice under reverse charge (Directive 2006/112/EC, articles 44, 196 and 226 (11a)). */
export const REVERSE_CHARGE_NOTE = 'Reverse charge: VAT is to be accounted for by the recipient.';

// A rate names what it is meant for: a tax code counts more than any place, a state more than a country.
const WEIGHT = { taxCode: 4, state: 2, country: 1 };

/**
 * The vendor's rate for a tax code and place: of the rates whose every named field fits, the most specific one. A rate
 * with a fitting tax code beats all that name a place only; then state and country beat state, state beats country,
 * country beats nothing. Of equals the first.
 */
export function rateFor(taxCode: string | null, context: Pick<TaxContext, 'rates' | 'country' | 'state'>): string | null {
  let best: TaxRate | null = null;
  for (const rate of context.rates) {
    if (fits(rate, taxCode, context) && (best === null || weight(rate) > weight(best))) best = rate;
  }
  return best?.rate ?? null;
}

function fits(rate: TaxRate, taxCode: string | null, place: Pick<TaxContext, 'country' | 'state'>): boolean {
  return (
    (rate.taxCode === null || rate.taxCode === taxCode) &&
    (rate.country === null || sameName(rate.country, place.country)) &&
    (rate.state === null || sameName(rate.state, place.state))
  );
}

function sameName(a: string, b: string | null): boolean {
  return b !== null && a.trim().toUpperCase() === b.trim().toUpperCase();
}

function weight(rate: TaxRate): number {
  return (
    (rate.taxCode === null ? 0 : WEIGHT.taxCode) + (rate.state === null ? 0 : WEIGHT.state) + (rate.country === null ? 0 : WEIGHT.country)
  );
}

/**
 * Whether the customer owes the tax itself: seller and customer in two different EU member states, and the customer has
 * a VAT id of the form its own state gives.
 */
export function isReverseCharge({ sellerCountry, country, vatId }: Pick<TaxContext, 'sellerCountry' | 'country' | 'vatId'>): boolean {
  if (sellerCountry === null || country === null) return false;
  return isMemberState(sellerCountry) && isMemberState(country) && !sameName(sellerCountry, country) && isVatIdForm(vatId, country);
}

/** The tax rule of a line: reverse charge (rate 0 with a note) before the vendor's rates; no rate = no tax. */
export function taxRule(taxCode: string | null, context: TaxContext): TaxRule {
  const base = { policy: context.policy, taxCode };
  if (isReverseCharge(context)) return { ...base, rate: '0', reverseCharge: true, note: REVERSE_CHARGE_NOTE };
  return { ...base, rate: rateFor(taxCode, context), reverseCharge: false, note: null };
}

/**
 * The tax of an amount that is rounded already; the tax is rounded once. Under `tax_included` the amount includes the
 * tax and never changes; under `tax_excluded` the tax is added to it.
 *
 * @param amount after discount, in the currency's minor unit; negative for credits
 * @throws BillingError `negative_rate`
 * @example applyTax(dec('119.00'), '0.19', 'tax_included', 'eur').taxAmount // '19'
 * @example applyTax(dec('90.00'), '0.10', 'tax_excluded', 'usd').totalIncludingTax // '99'
 */
export function applyTax(amount: Decimal, rate: string | null, policy: TaxPolicy, currency: Currency): Taxed {
  const factor = rate === null ? ZERO : dec(rate);
  if (factor.lt(0)) return fail('rate', 'negative_rate', 'give a rate of 0 or more, such as "0.19" for 19 %');
  if (factor.isZero()) return { totalExcludingTax: amount, taxAmount: ZERO, totalIncludingTax: amount };
  if (policy === 'tax_excluded') {
    const taxAmount = roundMoney(amount.times(factor), currency);
    return { totalExcludingTax: amount, taxAmount, totalIncludingTax: amount.plus(taxAmount) };
  }
  const taxAmount = roundMoney(amount.times(factor).div(ONE.plus(factor)), currency);
  return { totalExcludingTax: amount.minus(taxAmount), taxAmount, totalIncludingTax: amount };
}

/**
 * A line's tax rule together with its amounts.
 *
 * @example taxOf(dec('100.00'), null, taxAt('0.19', 'tax_included'), 'eur').taxAmount // '15.97'
 */
export function taxOf(amount: Decimal, taxCode: string | null, context: TaxContext, currency: Currency): TaxRule & Taxed {
  const rule = taxRule(taxCode, context);
  return { ...rule, ...applyTax(amount, rule.rate, rule.policy, currency) };
}
