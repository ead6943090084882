import { type Currency, minorDigits } from '../billing/money/currency.ts';
import { dec } from '../billing/money/decimal.ts';
import { moneyText } from '../billing/money/round.ts';

/** "12.34" → 1234. Card processors count in the smallest coin; any other amount is our mistake. */
export function toMinorUnits(amount: string, currency: Currency): number {
  const units = dec(amount).times(dec(10).pow(minorDigits(currency)));
  const whole = Number.parseInt(units.toFixed(), 10);
  if (!units.isInteger() || !Number.isSafeInteger(whole)) throw new Error(`${amount} ${currency} is no whole number of minor units`);
  return whole;
}

/** 1234 → "12.34" */
export function fromMinorUnits(units: number, currency: Currency): string {
  return moneyText(dec(units).div(dec(10).pow(minorDigits(currency))), currency);
}
