import { FULL } from '../calendar/ratio.ts';
import { type Decimal, dec, larger, plain, smaller, ZERO } from '../money/decimal.ts';
import { fail } from '../problem.ts';
import { chargePiece, feePiece, type Piece } from './piece.ts';
import type { Tier, TierMode } from './strategy.ts';

/** Units between two counts: from the units counted before, not included, to all of them. */
export interface Counts {
  from: Decimal;
  to: Decimal;
}

/** Which tiers' fees are still due. */
export interface FeesDue {
  /** the first graduated tier's: it is reached at zero units */
  first: boolean;
  /** tier fees charged before in the billing period, which lower a volume tier's; null when there is no part before */
  before: string | null;
}

/** All fees: nothing was charged before in the billing period. */
export const ALL_FEES: FeesDue = { first: true, before: null };

/**
 * Units priced by tiers, with the tiers' flat fees, which are never pro-rated. The fee of a graduated tier is due when
 * the count first enters the tier, that of a volume tier as far as it exceeds the tier fees charged before.
 *
 * @param fees null: units alone
 * @example
 * const rates = tiers(['5', '7'], ['10', '6.5'], [null, '6']);
 * const twenty = { from: ZERO, to: dec(20) };
 * tierPieces(rates, 'volume', twenty, ALL_FEES).map(({ amount }) => amount) // ['120']
 * tierPieces(rates, 'graduated', twenty, ALL_FEES).map(({ amount }) => amount) // ['35', '32.5', '60']
 * @example
 * const rates = tiers(['5', '7'], ['10', '6.5'], [null, '6']);
 * const later = { from: dec(4), to: dec(12) };
 * tierPieces(rates, 'graduated', later, ALL_FEES).map(({ amount }) => amount) // ['7', '32.5', '12']
 */
export function tierPieces(tiers: readonly Tier[], mode: TierMode, counts: Counts, fees: FeesDue | null): Piece[] {
  return mode === 'volume' ? volumePieces(tiers, counts, fees) : graduatedPieces(tiers, counts, fees);
}

function volumePieces(tiers: readonly Tier[], { from, to }: Counts, fees: FeesDue | null): Piece[] {
  const tier = tierOf(tiers, to);
  const charge = chargePiece('tier', from.toFixed(), null, to.minus(from), tier.unitPrice);
  if (fees === null || tier.flatFee === null) return [charge];
  const fee = feePiece('tier_fee', tier.flatFee, FULL, fees.before);
  return fees.before !== null && fee.amount.isZero() ? [charge] : [charge, fee];
}

/** The tier a total falls into: the first one that reaches up to it. */
function tierOf(tiers: readonly Tier[], units: Decimal): Tier {
  const tier = tiers.find(({ upTo }) => upTo === null || units.lte(upTo));
  return tier ?? fail('tiers', 'last_tier_not_open', 'give null in the last tier');
}

function graduatedPieces(tiers: readonly Tier[], { from, to }: Counts, fees: FeesDue | null): Piece[] {
  const pieces: Piece[] = [];
  const reached = tierOf(tiers, to);
  let floor = ZERO;
  for (const [index, tier] of tiers.entries()) {
    const start = larger(floor, from);
    const end = tier.upTo === null ? to : smaller(to, dec(tier.upTo));
    const isCharged = end.gt(start) || (from.eq(to) && tier === reached);
    const bound = tier.upTo === null ? null : plain(tier.upTo);
    if (isCharged) pieces.push(chargePiece('tier', start.toFixed(), bound, end.minus(start), tier.unitPrice));
    const isEntered = index === 0 ? fees?.first === true : floor.gte(from) && floor.lt(to);
    if (fees !== null && tier.flatFee !== null && isEntered) pieces.push(feePiece('tier_fee', tier.flatFee, FULL));
    if (tier.upTo === null) break;
    floor = dec(tier.upTo);
  }
  return pieces;
}
