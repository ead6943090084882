import { type Currency, minorDigits } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';

// The processor counts some currencies otherwise than ISO 4217 does: the ariary without its fifths, the Icelandic króna
// and the Ugandan shilling with two digits that are always zero.
const OTHER_DIGITS: Partial<Record<Currency, number>> = { mga: 0, isk: 2, ugx: 2 };
// It takes only these of the currencies with three digits, and the last digit must be zero.
const THREE_DIGITS: ReadonlySet<Currency> = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);
const SMALLEST_OF_THREE_DIGITS = 10;

const digitsOf = (currency: Currency): number => OTHER_DIGITS[currency] ?? minorDigits(currency);

/** Why the processor can't move an amount; no later call can change it. */
export type NotChargeable = 'currency_not_supported' | 'amount_not_chargeable';

/**
 * An amount as the processor counts it, or why it can't be charged. It is never rounded: the customer would pay another
 * amount than the invoice says.
 *
 * @example toMinorUnits('12.34', 'usd') // 1234
 * @example toMinorUnits('1200', 'jpy') // 1200
 * @example toMinorUnits('9.990', 'kwd') // 9990
 * @example toMinorUnits('9.995', 'kwd') // 'amount_not_chargeable'
 */
export function toMinorUnits(amount: string, currency: Currency): number | NotChargeable {
  const isOfThree = minorDigits(currency) > 2;
  if (isOfThree && !THREE_DIGITS.has(currency)) return 'currency_not_supported';
  const units = dec(amount).times(dec(10).pow(digitsOf(currency)));
  const whole = Number.parseInt(units.toFixed(), 10);
  const isExact = units.isInteger() && Number.isSafeInteger(whole) && !(isOfThree && whole % SMALLEST_OF_THREE_DIGITS !== 0);
  return isExact ? whole : 'amount_not_chargeable';
}

/**
 * What the processor counted, as money.
 *
 * @example fromMinorUnits(1234, 'usd') // '12.34'
 * @example fromMinorUnits(500, 'isk') // '5'
 */
export function fromMinorUnits(units: number, currency: Currency): string {
  return moneyText(dec(units).div(dec(10).pow(digitsOf(currency))), currency);
}
