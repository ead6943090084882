import { type Ratio, share } from '../calendar/ratio.ts';
import { type Decimal, dec, plain, sum, ZERO } from '../money/decimal.ts';
import type { Began } from './began.ts';
import { chargePiece, feePiece, type Piece } from './piece.ts';
import { countedUnits, overUsage } from './quantity.ts';
import { type PriceStep, shown } from './step.ts';
import type { UsageDetails, UsagePricing } from './strategy.ts';
import { type FeesDue, tierPieces } from './tiers.ts';

/** The amount of reported units, not yet rounded. */
export interface UsageAmount {
  pieces: Piece[];
  /** the steps before those of the pieces */
  steps: PriceStep[];
  /** all units charged */
  charged: Decimal;
  /** those of them charged at the over-usage price */
  above: Decimal;
}

/**
 * The amount of reported units in a billing period, or in a part of it. The part after a change costs P(all so far) −
 * P(what was counted before), but at least its share of the minimum; the price's own fee is pro-rated, a tier's fee is
 * charged whole and once. A part without length and without units costs nothing.
 *
 * @param began null for the first part, and for a whole period
 * @example
 * const thousandFree = { ...usage('0', { maximum: '1000' }).strategy, overUsagePrice: '0.02' };
 * const second = usageAmount('0', thousandFree, '1000', FULL, { units: '1000', tierFees: null });
 * second.above // '1000'
 * second.pieces.map(({ amount }) => amount) // ['20']
 */
export function usageAmount(amount: string, details: UsagePricing, used: string, ratio: Ratio, began: Began | null): UsageAmount {
  const { from, to, steps } = countedUnits(details, used, ratio, began);
  const isNothing = ratio.part === 0 && dec(used).isZero();
  const counted = between(
    amount,
    details,
    from,
    to,
    isNothing ? null : { first: began?.tierFees == null, before: began?.tierFees ?? null },
  );
  const least = began === null ? null : partMinimum(amount, details, ratio);
  const chosen = least !== null && cost(least).gt(cost(counted)) ? withFees(least, counted) : counted;
  const fee = details.flatFee === null ? [] : [feePiece('price_fee', details.flatFee, ratio)];
  return { ...chosen, pieces: [...chosen.pieces, ...fee], steps: [...steps, ...chosen.steps] };
}

/** The units between two counts; where one rate applies to all of them, the later count decides which. */
function between(amount: string, details: UsagePricing, from: Decimal, to: Decimal, fees: FeesDue | null): UsageAmount {
  const charged = to.minus(from);
  if (details.kind === 'usage_tiered') {
    return { pieces: tierPieces(details.tiers, details.tierMode, { from, to }, fees), steps: [], charged, above: ZERO };
  }
  const { above, steps } = overUsage(details, from, to);
  return { pieces: splitPieces(amount, details, { from, charged, above }), steps, charged, above };
}

function splitPieces(amount: string, details: UsageDetails, units: { from: Decimal; charged: Decimal; above: Decimal }): Piece[] {
  const { charged, above } = units;
  const from = units.from.toFixed();
  const maximum = details.maximumUnits === null ? null : plain(details.maximumUnits);
  const within = charged.minus(above);
  const allIsOver = !above.isZero() && within.isZero();
  const pieces: Piece[] = [];
  if (!allIsOver) pieces.push(chargePiece('price', from, maximum, within, amount));
  if (!above.isZero()) {
    pieces.push(chargePiece('over_usage', allIsOver ? from : (maximum ?? from), null, above, details.overUsagePrice ?? amount));
  }
  return pieces;
}

/** A later part's share of the minimum, counted from zero as in a first part; tier fees follow the real count. */
function partMinimum(amount: string, details: UsagePricing, ratio: Ratio): UsageAmount | null {
  if (details.minimumUnits === null) return null;
  const least = share(dec(details.minimumUnits), ratio);
  const step: PriceStep = { step: 'part_minimum', minimum: plain(details.minimumUnits), ratio: { ...ratio }, units: shown(least) };
  const units = between(amount, details, ZERO, least, null);
  return { ...units, steps: [step, ...units.steps] };
}

const isCharge = ({ step }: Piece): boolean => step.step === 'charge';

function cost({ pieces }: UsageAmount): Decimal {
  return sum(pieces.filter(isCharge).map((piece) => piece.amount));
}

function withFees(least: UsageAmount, counted: UsageAmount): UsageAmount {
  return { ...least, pieces: [...least.pieces, ...counted.pieces.filter((piece) => !isCharge(piece))] };
}
