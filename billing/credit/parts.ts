import type { Instant } from '../calendar/instant.ts';
import { NOTHING, type Ratio } from '../calendar/ratio.ts';
import type { BilledStep, ChargeDerivation } from '../explain/derivation.ts';
import { applyTax } from '../invoice/tax.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, smaller, ZERO } from '../money/decimal.ts';
import { moneyText, roundMoney } from '../money/round.ts';
import { priceAmount } from '../pricing/amount.ts';
import { owedOf } from '../pricing/owed.ts';
import type { Price } from '../pricing/price.ts';
import { unitsAlone } from '../pricing/units-alone.ts';
import type { Grant, LinePart } from './types.ts';

/** A line of usage: what it comes to with its tax, its time, and how it was priced. */
export interface UsageLine {
  totalIncludingTax: string;
  currency: Currency;
  span: { start: Instant; end: Instant };
  derivation: ChargeDerivation;
}

/** Units counted since the line's usage began, up to an instant and without it. */
export interface UnitsUntil {
  at: Instant;
  units: string;
}

/**
 * The instants within a line's time at which the life of a grant begins or ends: there its usage is divided. At its
 * very end too: what a change or a cancellation ends there has the events of this instant.
 *
 * @example
 * const effectiveAt = at('2025-06-01');
 * const grants = [{ effectiveAt, expiresAt: at('2025-06-16') }, { effectiveAt, expiresAt: null }];
 * boundsIn(grants, { start: effectiveAt, end: at('2025-07-01') }) // [at('2025-06-16')]
 */
export function boundsIn(
  grants: readonly Pick<Grant, 'effectiveAt' | 'expiresAt'>[],
  { start, end }: { start: Instant; end: Instant },
): Instant[] {
  const bounds = grants.flatMap(({ effectiveAt, expiresAt }) => (expiresAt === null ? [effectiveAt] : [effectiveAt, expiresAt]));
  return [...new Set(bounds)].filter((at) => at > start && at <= end).sort((a, b) => a - b);
}

/**
 * Divides a line of usage: a part costs P(units up to its end) − P(units up to its start) through the tiers, tax
 * included, so that the parts sum to the line to the cent. Fees and the minimum belong to the first one. Where more
 * units cost less, as volume tiers may have it, no part has more than what is owed in the end. If usage was charged in
 * several lines, the earlier lines stand for the usage with the earliest dates; only the rest is divided.
 *
 * @param counted the units at each instant at which the line is divided, ascending
 * @example
 * const price = usageTiered('graduated', [
 *   { upTo: '5', unitPrice: '7', flatFee: null }, { upTo: '10', unitPrice: '6.5', flatFee: null },
 *   { upTo: null, unitPrice: '6', flatFee: null }]);
 * const span = { start: at('2025-06-01'), end: at('2025-07-01') };
 * const [line] = chargeLines([charge(price, { units: '12', kind: 'usage', span })], context());
 * const counted = [{ at: at('2025-06-16'), units: '4' }];
 * usageParts({ ...line, span, derivation: line.derivation }, counted).map(({ amount }) => amount) // ['28.00', '51.50']
 */
export function usageParts(line: UsageLine, counted: readonly UnitsUntil[]): LinePart[] {
  const { span, currency } = line;
  const whole = dec(line.totalIncludingTax);
  const ends = [...counted.map(({ at, units }) => ({ at, owed: leftFor(line, units) })), { at: span.end, owed: whole }];
  for (let place = ends.length - 2; place >= 0; place -= 1) {
    const [own, later] = [ends[place], ends[place + 1]];
    if (own !== undefined && later !== undefined) own.owed = smaller(own.owed, later.owed);
  }
  return ends.map(({ at, owed }, place) => {
    const before = ends[place - 1];
    return { at: before?.at ?? span.start, until: at, amount: moneyText(owed.minus(before?.owed ?? ZERO), currency) };
  });
}

/**
 * What the line would come to with another number of units, less what earlier lines have charged of these units. Tax is
 * added as for the line itself: computed together with the earlier lines that have its tax rule.
 *
 * @example
 * const span = { start: at('2025-06-01'), end: at('2025-07-01') };
 * const [line] = chargeLines([charge(usage('1'), { units: '12', kind: 'usage', span })], context());
 * leftFor({ ...line, span }, '15') // '15'
 */
export function leftFor(line: UsageLine, units: string): Decimal {
  const { billed, price, ratio } = line.derivation;
  const owed = owedFor(line, units, { price: price.price, ratio });
  if (billed === undefined) return withTax(line, owed);
  const soFar = owedFor(line, units, { price: unitsAlone(price.price), ratio: NOTHING });
  return withTax(line, owed.minus(smaller(soFar, dec(billed.subtotal))), billed.taxed);
}

/** The price of units, rounded as the line is. */
function owedFor({ currency, derivation }: UsageLine, units: string, { price, ratio }: { price: Price; ratio: Ratio }): Decimal {
  const { exact } = priceAmount(price, units, ratio, currency, derivation.began);
  return roundMoney(owedOf(exact, derivation), currency);
}

const NOTHING_BEFORE: BilledStep['taxed'] = { subtotal: '0', taxAmount: '0' };

function withTax({ currency, derivation: { tax } }: UsageLine, amount: Decimal, before = NOTHING_BEFORE): Decimal {
  if (tax.policy === 'tax_included') return amount;
  const { taxAmount } = applyTax(amount.plus(before.subtotal), tax.rate, tax.policy, currency);
  return amount.plus(taxAmount).minus(before.taxAmount);
}
