import { fail } from '../problem.ts';

/** A currency of prices, invoices and wallets: the lowercase ISO 4217 code. */
export type Currency = 'usd' | 'eur' | 'gbp' | 'brl' | 'ars';

/** All currencies. */
export const CURRENCIES: readonly Currency[] = ['usd', 'eur', 'gbp', 'brl', 'ars'];

const MINOR_DIGITS: Record<Currency, number> = { usd: 2, eur: 2, gbp: 2, brl: 2, ars: 2 };

/** Whether a text names one of these currencies. */
export function isCurrency(value: string): value is Currency {
  return Object.hasOwn(MINOR_DIGITS, value);
}

/**
 * Digits after the point of the currency's smallest coin (ISO 4217).
 *
 * @throws BillingError `unknown_currency`
 */
export function minorDigits(currency: Currency): number {
  const digits = isCurrency(currency) ? MINOR_DIGITS[currency] : undefined;
  return digits ?? fail('currency', 'unknown_currency', `give one of ${CURRENCIES.join(', ')}`);
}
