import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, smaller, ZERO } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import type { BackToGrant } from './give-back.ts';
import type { Grant } from './types.ts';

/**
 * How many bought credits are taken back when a part of their price is given back: the same share of them, rounded
 * once. With the last of the price all the rest of them goes.
 *
 * @param bought the credits that are left, and what is left of their price
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

/**
 * What a change or a cancellation takes back of the credits that plans gave for the running cycle: the newest first, so
 * that a change and its way back undo each other, and only what is left.
 *
 * @returns what is taken back of each grant; no entry for a grant of which nothing is taken
 * @example
 * const grants = [{ id: 'Grant_1', effectiveAt: at('2025-06-01'), left: '30.00' }, { id: 'Grant_2', effectiveAt: at('2025-06-16'), left: '10.00' }];
 * takenNewestFirst(grants, '15.00', 'usd') // [{ grantId: 'Grant_2', amount: '10.00' }, { grantId: 'Grant_1', amount: '5.00' }]
 */
export function takenNewestFirst(
  grants: readonly Pick<Grant, 'id' | 'effectiveAt' | 'left'>[],
  amount: string,
  currency: Currency,
): BackToGrant[] {
  let rest: Decimal = dec(amount);
  const newestFirst = grants.toSorted((a, b) => b.effectiveAt - a.effectiveAt || (a.id < b.id ? 1 : -1));
  return newestFirst.flatMap(({ id: grantId, left }) => {
    const taken = smaller(rest, dec(left));
    if (!taken.gt(ZERO)) return [];
    rest = rest.minus(taken);
    return [{ grantId, amount: moneyText(taken, currency) }];
  });
}
