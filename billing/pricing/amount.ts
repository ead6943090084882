import { FULL, isFull, type Ratio, share } from '../calendar/ratio.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, plain, sum, text } from '../money/decimal.ts';
import { priceText } from '../money/round.ts';
import { chargePiece, feePiece, type Piece } from './piece.ts';
import { chargedUnits, raisedUsage, usageQuantity } from './quantity.ts';
import { type PriceStep, shown } from './step.ts';
import type { Price, UnitPricing, UsageDetails, UsageTieredDetails } from './strategy.ts';
import { tierPieces } from './tiers.ts';

/** A price turned into money, not yet rounded: the caller rounds once per line. */
export interface Priced {
  exact: Decimal;
  /** The unrounded parts of `exact`, before a pro-rating of the whole. */
  pieces: Piece[];
  /** The derivation as plain JSON; `recompute` gets the amount back from it. */
  steps: PriceStep[];
  /** All units charged; "1" for a flat price. */
  unitCount: string;
  /** The units of it charged at the main price: all but those over the maximum. */
  unitsCharged: string;
  /** The units of it charged at the over-usage price; null unless it is a usage price. */
  overUsageUnitCharged: string | null;
  /** Price of one unit with at least the currency's digits; where units were charged at several prices their average to 12 places. */
  unitPrice: string;
}

/**
 * What a price comes to for a number of units over the whole or a part of its period. Nothing is rounded.
 * Flat, per unit and unit tiered prices are pro-rated as a whole; usage prices pro-rate minimum and flat fees,
 * not maximum, batch size or tiers.
 *
 * @param units bought or used; a flat price doesn't look at it
 * @param ratio share of the whole natural period, `FULL` for all of it
 * @example priceAmount(flat '599.95', '1', { part: 29, whole: 31 }, 'usd').exact // 561.243548387… (Kill Bill tests)
 * @example priceAmount(usage '0.0295' in batches of 100, '350', FULL, 'usd').exact // 11.8
 */
export function priceAmount(price: Price, units: string, ratio: Ratio, currency: Currency): Priced {
  const details = price.strategy;
  switch (details.kind) {
    case 'flat':
      return flatAmount(price.amount, ratio, currency);
    case 'per_unit':
    case 'unit_tiered':
      return unitAmount(price.amount, details, units, ratio, currency);
    case 'usage':
      return usageAmount(price.amount, details, units, ratio, currency);
    case 'usage_tiered':
      return tieredUsageAmount(details, units, ratio, currency);
  }
}

function flatAmount(amount: string, ratio: Ratio, currency: Currency): Priced {
  const whole: Piece = { amount: dec(amount), units: null, step: { step: 'flat', amount: plain(amount) } };
  return {
    ...proRated([], [whole], ratio),
    unitCount: '1',
    unitsCharged: '1',
    overUsageUnitCharged: null,
    unitPrice: priceText(amount, currency),
  };
}

function unitAmount(amount: string, details: UnitPricing, units: string, ratio: Ratio, currency: Currency): Priced {
  const bought = plain(units);
  const unitCount = chargedUnits(details, units);
  const steps: PriceStep[] = [{ step: 'units', units: bought }];
  if (details.batchSize !== null) steps.push({ step: 'batch', batchSize: details.batchSize, units: unitCount });
  const charged = dec(unitCount);
  const pieces =
    details.kind === 'per_unit'
      ? [chargePiece('price', '0', null, charged, amount)]
      : tierPieces(details.tiers, details.tierMode, charged, FULL);
  pieces.push(...priceFee(details.flatFee, FULL));
  const unitPrice = unitPriceOf(pieces, charged, currency);
  return { ...proRated(steps, pieces, ratio), unitCount, unitsCharged: unitCount, overUsageUnitCharged: null, unitPrice };
}

function usageAmount(amount: string, details: UsageDetails, used: string, ratio: Ratio, currency: Currency): Priced {
  const { charged, within, above, steps } = usageQuantity(details, used, ratio);
  const maximum = details.maximumUnits === null ? null : plain(details.maximumUnits);
  const overUsagePrice = details.overUsagePrice ?? amount;
  const allIsOver = !above.isZero() && within.isZero();
  const pieces: Piece[] = [];
  if (!allIsOver) pieces.push(chargePiece('price', '0', maximum, within, amount));
  if (!above.isZero()) pieces.push(chargePiece('over_usage', allIsOver ? '0' : (maximum ?? '0'), null, above, overUsagePrice));
  pieces.push(...priceFee(details.flatFee, ratio));
  return {
    ...added(steps, pieces),
    unitCount: shown(charged),
    unitsCharged: shown(within),
    overUsageUnitCharged: shown(above),
    unitPrice: unitPriceOf(pieces, charged, currency),
  };
}

function tieredUsageAmount(details: UsageTieredDetails, used: string, ratio: Ratio, currency: Currency): Priced {
  const { charged, steps } = raisedUsage(details, used, ratio);
  const pieces = [...tierPieces(details.tiers, details.tierMode, charged, ratio), ...priceFee(details.flatFee, ratio)];
  const unitCount = shown(charged);
  return {
    ...added(steps, pieces),
    unitCount,
    unitsCharged: unitCount,
    overUsageUnitCharged: '0',
    unitPrice: unitPriceOf(pieces, charged, currency),
  };
}

function priceFee(fee: string | null, ratio: Ratio): Piece[] {
  return fee === null ? [] : [feePiece('price_fee', fee, ratio)];
}

function added(steps: PriceStep[], pieces: Piece[]): Pick<Priced, 'exact' | 'pieces' | 'steps'> {
  return { exact: sum(pieces.map((piece) => piece.amount)), pieces, steps: [...steps, ...pieces.map((piece) => piece.step)] };
}

function proRated(steps: PriceStep[], pieces: Piece[], ratio: Ratio): Pick<Priced, 'exact' | 'pieces' | 'steps'> {
  const whole = added(steps, pieces);
  if (isFull(ratio)) return whole;
  const exact = share(whole.exact, ratio);
  return { exact, pieces, steps: [...whole.steps, { step: 'pro_rate', ratio: { ...ratio }, amount: shown(exact) }] };
}

/** The one price all units were charged at, else the average of several (shown only, never computed with). */
function unitPriceOf(pieces: Piece[], charged: Decimal, currency: Currency): string {
  const charges = pieces.filter((piece) => piece.step.step === 'charge');
  const [first] = charges;
  if (charges.length === 1 && first?.step.step === 'charge') return priceText(first.step.unitPrice, currency);
  const amount = sum(charges.map((piece) => piece.amount));
  return priceText(text(amount.div(charged).toDecimalPlaces(12)), currency);
}
