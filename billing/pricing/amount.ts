import { FULL, isFull, type Ratio, share } from '../calendar/ratio.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, plain, sum, text, ZERO } from '../money/decimal.ts';
import { priceText } from '../money/round.ts';
import type { Began } from './began.ts';
import { chargePiece, feePiece, type Piece } from './piece.ts';
import { chargedUnits } from './quantity.ts';
import { type PriceStep, shown } from './step.ts';
import type { Price, UnitPricing, UsagePricing } from './strategy.ts';
import { ALL_FEES, tierPieces } from './tiers.ts';
import { usageAmount } from './usage-amount.ts';

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
  /**
   * Price of one unit with at least the currency's digits; where units were charged at several prices their average to
   * 12 places.
   */
  unitPrice: string;
}

/**
 * The amount of a price for a number of units over the whole or a part of its period. Nothing is rounded.
 * Flat, per unit and unit tiered prices are pro-rated as a whole; usage prices pro-rate minimum and flat fees,
 * not maximum, batch size or tiers and their fees.
 *
 * @param units bought or used, in this part of the billing period; a flat price ignores it
 * @param ratio share of the whole natural period, `FULL` for all of it
 * @param began where the part begins when a change has divided the billing period, for a usage price
 * @example priceAmount(price('599.95'), '1', { part: 29, whole: 31 }, 'usd').exact.toFixed(4) // '561.2435'
 * @example priceAmount(usage('0.0295', { batch: 100 }), '350', FULL, 'usd').exact // '11.8'
 */
export function priceAmount(price: Price, units: string, ratio: Ratio, currency: Currency, began: Began | null = null): Priced {
  const details = price.strategy;
  switch (details.kind) {
    case 'flat':
      return flatAmount(price.amount, ratio, currency);
    case 'per_unit':
    case 'unit_tiered':
      return unitAmount(price.amount, details, units, ratio, currency);
    case 'usage':
    case 'usage_tiered':
      return reportedAmount(price.amount, details, units, { ratio, currency, began });
  }
}

/**
 * The exact amount of a price over its whole period, the same that `priceAmount` comes to: for prices that are only
 * compared, so that no steps are made which nobody reads.
 *
 * @param units bought; a flat price ignores it
 * @example fullAmount(seats('10', '1'), '5', 'usd') // '50'
 */
export function fullAmount(price: Price, units: string, currency: Currency): Decimal {
  const { amount, strategy } = price;
  if (strategy.kind === 'flat') return dec(amount);
  if (strategy.kind === 'usage' && strategy.minimumUnits === null && dec(units).isZero()) return dec(strategy.flatFee ?? '0');
  if (strategy.kind !== 'per_unit') return priceAmount(price, units, FULL, currency).exact;
  const charged = dec(chargedUnits(strategy, units)).times(dec(amount));
  return strategy.flatFee === null ? charged : charged.plus(dec(strategy.flatFee));
}

/** What a usage price is charged for besides its units. */
interface UsageTerms {
  ratio: Ratio;
  currency: Currency;
  began: Began | null;
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
      : tierPieces(details.tiers, details.tierMode, { from: ZERO, to: charged }, ALL_FEES);
  pieces.push(...priceFee(details.flatFee, FULL));
  const unitPrice = unitPriceOf(pieces, charged, currency);
  return { ...proRated(steps, pieces, ratio), unitCount, unitsCharged: unitCount, overUsageUnitCharged: null, unitPrice };
}

function reportedAmount(amount: string, details: UsagePricing, used: string, terms: UsageTerms): Priced {
  const { pieces, steps, charged, above } = usageAmount(amount, details, used, terms.ratio, terms.began);
  return {
    ...added(steps, pieces),
    unitCount: shown(charged),
    unitsCharged: shown(charged.minus(above)),
    overUsageUnitCharged: shown(above),
    unitPrice: unitPriceOf(pieces, charged, terms.currency),
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
