import type { Currency } from '../money/currency.ts';
import { moneyText, priceText } from '../money/round.ts';
import type { Piece } from './piece.ts';

/**
 * What an amount is made up of, for the description of a line: units at each price, and fees. A pro-rated fee is shown
 * as it was charged.
 *
 * @returns null where the amount is the units times one price
 * @example
 * const graduated = unitTiered('graduated', tiers(['5', '7'], ['10', '6.5'], [null, '6']));
 * makeupText(priceAmount(graduated, '20', FULL, 'usd').pieces, 'usd') // '5 × 7.00 + 5 × 6.50 + 10 × 6.00'
 */
export function makeupText(pieces: readonly Piece[], currency: Currency): string | null {
  return pieces.length < 2 ? null : pieces.map((piece) => partText(piece, currency)).join(' + ');
}

function partText({ amount, step }: Piece, currency: Currency): string {
  if (step.step === 'charge') return `${step.units} × ${priceText(step.unitPrice, currency)}`;
  return `${step.step === 'fee' ? 'flat fee ' : ''}${moneyText(amount, currency)}`;
}
