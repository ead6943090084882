import { type Ratio, share } from '../calendar/ratio.ts';
import { type Decimal, dec, larger, plain, ZERO } from '../money/decimal.ts';
import { type ChargeKind, type FeeKind, type PriceStep, shown } from './step.ts';

/** One unrounded part of a price's amount, with the step that tells how it came about. */
export interface Piece {
  amount: Decimal;
  units: Decimal | null;
  step: PriceStep;
}

/**
 * The units between two bounds at one price.
 *
 * @param from where the units begin among all units charged
 * @param upTo where they end at the latest, null = open
 * @example chargePiece('tier', '5', '10', dec(5), '6.5').amount // '32.5'
 */
export function chargePiece(kind: ChargeKind, from: string, upTo: string | null, units: Decimal, unitPrice: string): Piece {
  const amount = units.times(dec(unitPrice));
  return {
    amount,
    units,
    step: { step: 'charge', kind, from, upTo, units: shown(units), unitPrice: plain(unitPrice), amount: shown(amount) },
  };
}

/**
 * A flat fee for the period, or for a part of it, less what was charged of it before.
 *
 * @param before what was charged of it; null = earlier charges don't lower it
 * @example feePiece('price_fee', '10', { part: 1, whole: 2 }).amount // '5'
 * @example feePiece('tier_fee', '50', FULL, '10').amount // '40'
 */
export function feePiece(kind: FeeKind, fee: string, ratio: Ratio, before: string | null = null): Piece {
  const owed = before === null ? dec(fee) : larger(dec(fee).minus(dec(before)), ZERO);
  const amount = share(owed, ratio);
  const charged = before === null ? {} : { before: plain(before) };
  return { amount, units: null, step: { step: 'fee', kind, fee: plain(fee), ...charged, ratio: { ...ratio }, amount: shown(amount) } };
}
