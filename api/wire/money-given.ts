import { type Currency, minorDigits } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { invalidField } from '../http/problem.ts';

/** Requires that an amount for a wallet is money: not zero, and with no more digits than its currency has. */
export function requireMoney({ amount: text, currency }: { amount: string; currency: Currency }, field = 'amount'): void {
  const amount = dec(text);
  if (amount.isZero()) throw invalidField(field, 'must not be zero');
  if (amount.decimalPlaces() > minorDigits(currency))
    throw invalidField(field, `must have at most ${minorDigits(currency)} decimal places`);
}
