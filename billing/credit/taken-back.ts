import type { Currency } from '../money/currency.ts';
import { dec } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';

/**
 * The bought credits that go with a part of their price: the same share of them, rounded once. With the last of the
 * price goes the last of the credits.
 *
 * @param bought credits and the price that is left of what they cost
 * @param back what a credit note gives back of the price; at most what is left of it
 * @returns decimal text in the currency's minor digits
 * @example takenBack({ credits: '100.00', price: '80.00' }, '20.00', 'usd') // '25.00'
 * @example takenBack({ credits: '10.00', price: '3.00' }, '1.00', 'usd') // '3.33'
 */
export function takenBack(bought: { credits: string; price: string }, back: string, currency: Currency): string {
  const credits = dec(bought.credits);
  const share = dec(bought.price).equals(dec(back)) ? credits : credits.times(dec(back)).div(dec(bought.price));
  return moneyText(share, currency);
}
