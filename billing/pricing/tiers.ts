import type { Ratio } from '../calendar/ratio.ts';
import { type Decimal, dec, plain, smaller, ZERO } from '../money/decimal.ts';
import { fail } from '../problem.ts';
import { chargePiece, feePiece, type Piece } from './piece.ts';
import type { Tier, TierMode } from './strategy.ts';

/**
 * Units priced by tiers, with the tiers' flat fees. The first tier is reached at zero units, so its flat fee is always due.
 * The ratio pro-rates the flat fees, not the tiers' bounds or prices.
 *
 * @example volume, 1–5 @7, 6–10 @6.5, 11+ @6: 20 units are 120; graduated: 5 × 7 + 5 × 6.5 + 10 × 6 = 127.50 (Stripe docs, tiered pricing)
 */
export function tierPieces(tiers: readonly Tier[], mode: TierMode, units: Decimal, feeRatio: Ratio): Piece[] {
  return mode === 'volume' ? volumePieces(tiers, units, feeRatio) : graduatedPieces(tiers, units, feeRatio);
}

function volumePieces(tiers: readonly Tier[], units: Decimal, feeRatio: Ratio): Piece[] {
  const tier = tierOf(tiers, units);
  return withFee(tier, feeRatio, [chargePiece('tier', '0', null, units, tier.unitPrice)]);
}

/** The tier a total falls into: the first one that reaches up to it. */
function tierOf(tiers: readonly Tier[], units: Decimal): Tier {
  const tier = tiers.find(({ upTo }) => upTo === null || units.lte(upTo));
  return tier ?? fail('tiers', 'last_tier_not_open', 'give null in the last tier');
}

function graduatedPieces(tiers: readonly Tier[], units: Decimal, feeRatio: Ratio): Piece[] {
  const pieces: Piece[] = [];
  let from = ZERO;
  for (const [index, tier] of tiers.entries()) {
    if (index > 0 && units.lte(from)) break;
    const upTo = tier.upTo === null ? units : smaller(units, dec(tier.upTo));
    const bound = tier.upTo === null ? null : plain(tier.upTo);
    pieces.push(...withFee(tier, feeRatio, [chargePiece('tier', from.toFixed(), bound, upTo.minus(from), tier.unitPrice)]));
    from = upTo;
  }
  return pieces;
}

function withFee(tier: Tier, ratio: Ratio, pieces: Piece[]): Piece[] {
  return tier.flatFee === null ? pieces : [...pieces, feePiece('tier_fee', tier.flatFee, ratio)];
}
