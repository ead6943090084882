import type { DiscountInCycle } from '../contract/period/cycles-left.ts';
import type { DiscountStep } from '../explain/derivation.ts';
import { allocate } from '../money/allocate.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, larger, smaller, sum, text, ZERO } from '../money/decimal.ts';
import { type FractionText, fractionOf, fractionText, times } from '../money/fraction.ts';
import { moneyText, roundMoney } from '../money/round.ts';
import { fail } from '../problem.ts';

/** What a discount takes off one line's full amount, before any pro-rating. */
export interface DiscountPart {
  off: Decimal;
  step: DiscountStep;
}

/**
 * Divides a discount among the lines of one cycle, given their full amounts before pro-rating. A percentage takes its
 * share of each line; a flat amount, at most the sum of the lines, is divided in proportion to them, with the cents
 * that are left for the largest remainders. No line gets more than it costs.
 *
 * @param full the lines' full amounts, exact, zero or more
 * @returns a part per line, in the same order
 * @throws BillingError `discount_currency` when a flat discount is given in another currency
 * @example
 * const parts = discountParts(discountOf('flat', '10.00'), [dec(100), dec(50)], 'usd');
 * parts.map(({ off }) => off) // ['6.67', '3.33']
 * @example discountParts(discountOf('percentage', '10'), [dec(100)], 'usd').map(({ off }) => off) // ['10']
 */
export function discountParts(discount: DiscountInCycle, full: readonly Decimal[], currency: Currency): DiscountPart[] {
  const { id, slug, name, type, amount, part } = discount;
  const step = { id, slug, name, type, amount };
  if (type === 'percentage') return full.map((whole) => discountAgain({ ...step, share: null, ...(part ? { part } : {}) }, whole));
  if (discount.currency !== currency) return fail('discount', 'discount_currency', `give a discount in ${currency}, or a percentage`);
  const costs = full.map((whole) => roundMoney(whole, currency));
  const parts = allocate(smaller(dec(amount), sum(costs)), costs, currency);
  const coversAll = dec(amount).gte(sum(costs)) && dec(amount).gte(sum(full));
  return full.map((whole, index) => {
    // parts of cents would be left over in figures that aren't rounded line by line
    const share = coversAll ? larger(whole, ZERO) : (parts[index] ?? ZERO);
    return discountAgain({ ...step, share: text(share) }, whole);
  });
}

/**
 * What a discount takes off a line as its step says: the percentage, or the line's own share of a flat amount. A line
 * that goes on is discounted so again.
 *
 * @param full the line's full amount, exact
 * @example
 * const [{ step }] = discountParts(discountOf('flat', '10.00'), [dec(100), dec(50)], 'usd');
 * discountAgain(step, dec(100)).off // '6.67'
 */
export function discountAgain(step: DiscountStep, full: Decimal): DiscountPart {
  if (step.type === 'percentage') return { off: ofPart(full.times(smaller(dec(step.amount), dec(100))).div(100), step.part), step };
  // A share is in whole cents, so that without this a line of half a cent could fall below zero.
  return { off: smaller(dec(step.share ?? '0'), larger(full, ZERO)), step };
}

function ofPart(amount: Decimal, part: FractionText | undefined): Decimal {
  return part === undefined ? amount : amount.times(dec(part.num)).div(dec(part.den));
}

/** How an invoice names a discount. */
export function discountText(
  { name, type, amount, part }: Pick<DiscountInCycle, 'name' | 'type' | 'amount' | 'part'>,
  currency: Currency,
): string {
  const of = part === undefined ? '' : ` for ${fractionText(times(fractionOf(part), { num: 100n, den: 1n }), 2)} % of the time`;
  return type === 'percentage'
    ? `${name}: ${text(dec(amount))} %${of}`
    : `${name}: ${moneyText(amount, currency)} ${currency.toUpperCase()}`;
}
