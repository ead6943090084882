import { LARGEST_COUNT } from '../../largest-count.ts';
import { CURRENCY_ADVICE, isCurrency, minorDigits } from '../../money/currency.ts';
import { type Decimal, parseDecimal } from '../../money/decimal.ts';
import { BillingError, type FieldProblem } from '../../problem.ts';

/** A discount that is to be made by `POST /v1/c/discount`. */
export interface DiscountInput {
  slug: string;
  name: string;
  type: string;
  amount: string;
  /** billing cycles it applies to */
  duration: number;
  /** needed for `flat` */
  currency: string | null;
}

/**
 * Everything that is wrong with a discount: over 100 %, nothing or less, a flat amount without currency or with more
 * digits than its currency has, no cycles.
 *
 * @returns problems under the names the fields have in requests; empty when nothing is wrong
 */
export function checkDiscount(discount: DiscountInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (field: string, code: string, message: string): void => void problems.push({ field, code, message });
  const { type, currency, duration } = discount;
  if (discount.slug.trim() === '') add('slug', 'blank', 'give a slug');
  if (discount.name.trim() === '') add('name', 'blank', 'give a name');
  if (type !== 'percentage' && type !== 'flat') add('discount_type', 'unknown_discount_type', 'give one of percentage, flat');
  if (!Number.isInteger(duration) || duration < 1 || duration > LARGEST_COUNT)
    add('duration', 'invalid_count', 'give a whole number of cycles from 1');
  if (currency !== null && !isCurrency(currency)) add('currency', 'unknown_currency', CURRENCY_ADVICE);
  if (currency === null && type === 'flat') add('currency', 'missing_currency', 'give the currency of the flat amount');

  const amount = readAmount(discount.amount, problems);
  if (amount === null) return problems;
  if (!amount.gt(0)) add('amount', 'not_positive', 'give more than zero');
  if (type === 'percentage' && amount.gt(100)) add('amount', 'above_hundred', 'give at most "100"');
  if (type === 'flat' && currency !== null && isCurrency(currency) && amount.decimalPlaces() > minorDigits(currency)) {
    add('amount', 'too_many_digits', `give at most ${minorDigits(currency)} digits after the decimal point`);
  }
  return problems;
}

function readAmount(input: string, problems: FieldProblem[]): Decimal | null {
  try {
    return parseDecimal(input, 'amount');
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    problems.push(...error.problems);
    return null;
  }
}
