import type { Cycle } from '../calendar/cycle.ts';
import type { Instant } from '../calendar/instant.ts';
import { FULL, type Ratio, share } from '../calendar/ratio.ts';
import type { DiscountInCycle } from '../contract/period/cycles-left.ts';
import type { NewId } from '../contract/types.ts';
import type { ChargeDerivation, DiscountStep, Occurrence } from '../explain/derivation.ts';
import { ratioStep, roundingStep } from '../explain/steps.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, sum } from '../money/decimal.ts';
import type { FractionText } from '../money/fraction.ts';
import { moneyText } from '../money/round.ts';
import { type Priced, priceAmount } from '../pricing/amount.ts';
import type { Began } from '../pricing/began.ts';
import { makeupText } from '../pricing/makeup.ts';
import { owedOf } from '../pricing/owed.ts';
import { isUsagePriced, type Price } from '../pricing/price.ts';
import { type GivenBackInParts, type LineGivenBack, sameDiscount } from './continued.ts';
import { type DiscountPart, discountAgain, discountParts, discountText } from './discount.ts';
import { type InParts, inParts } from './in-parts.ts';
import { type ShareInTurn, shareInTurn, taxInTurn } from './in-turn.ts';
import { amountsOf, asStored, type LineAmounts, taxFields } from './line.ts';
import { type TaxRule, taxRule } from './tax.ts';
import type { Line, LineKind, TaxContext } from './types.ts';

/** A price that falls due: what a line is made of. */
export interface Charge {
  contractId: string;
  chargeKey: string;
  kind: LineKind;
  source: string;
  name: string;
  price: Price;
  /** how often the price is charged; absent: once, or for usage */
  cycle?: Cycle;
  /** bought or used; a flat price ignores it */
  units: string;
  /**
   * share of the whole natural period; pro-rates minimum and flat fees of a usage price, the whole amount of all others
   */
  ratio: Ratio;
  span: Line['span'];
  dueDate: Instant;
  schedulingPolicy: Line['schedulingPolicy'];
  periodIdx: number | null;
  /** recurring flat, per unit and unit tiered charges are; usage, one-off and custom ones are not */
  discountable: boolean;
  /** in a free cycle: the amount is zero, but the line is written */
  free: boolean;
  /** the part of the cycle that is free, where it is free in part: that share of the amount isn't charged */
  freePart?: FractionText;
  /** number of usage events that `units` is the sum of */
  events?: number;
  /** where a usage charge begins when a change has divided its billing period */
  began?: Began | null;
  /**
   * what was given back at the same instant for the same price, cycle and units, up to the same end, oldest first: the
   * charge continues it. Each is a line, and those that had been charged on from its end
   */
  continues?: readonly GivenBackInParts[];
  /** its span ends at a known end of the contract, before its natural period does: that one's end */
  naturalEnd?: Instant;
  /** its span begins in the future, as known at this instant */
  setAt?: Instant;
  /** of a month, quarter or year that was charged elsewhere */
  occurrence?: Occurrence;
  /**
   * it goes on from lines of the same price: the part of the natural period that those have charged, in the unit of
   * `ratio`. All of them together charge what one line for all of the time would
   */
  partBefore?: number;
  /** what was taken off the line that it goes on from, in place of the discount of now; null: nothing */
  ownDiscount?: DiscountStep | null;
  /** usage that is charged in parts */
  inParts?: InParts;
}

/** What is the same for all lines of one step of a contract. */
export interface ChargeContext {
  currency: Currency;
  tax: TaxContext;
  /** null when there is none, or none in this cycle */
  discount: DiscountInCycle | null;
  newId: NewId;
}

/** A charge with its amount; `full` is before discount and pro-rating of the line. */
interface PricedCharge {
  charge: Charge;
  priced: Priced;
  full: Decimal;
  lineRatio: Ratio;
}

/**
 * One line for each charge, each rounded once. A flat discount is spread over the discountable lines in proportion to
 * their full amounts and then pro-rated with them; `totalExcludingTax` (under `tax_included`: `totalIncludingTax`) is
 * the rounding of (full − discount) × ratio.
 *
 * A charge that continues a line given back at the same instant, under the same discount, charges exactly what was
 * given back, of all its parts.
 *
 * @returns lines in the order of the charges; free and zero charges have a line of 0.00
 * @throws BillingError `discount_currency`
 * @example chargeLines([charge(price('300'), { ratio: { part: 1, whole: 2 } })], context())[0].subtotal // '150.00'
 * @example
 * const terms = context({ discount: discountOf('flat', '10.00'), tax: taxAt('0.10', 'tax_excluded') });
 * const [line] = chargeLines([charge(price('100'))], terms);
 * [line.subtotal, line.totalExcludingTax, line.taxAmount] // ['100.00', '90.00', '9.00']
 */
export function chargeLines(charges: readonly Charge[], context: ChargeContext): Line[] {
  const priced = charges.map((charge) => priceOf(charge, context.currency));
  const parts = partsOf(priced, context);
  return priced.map((one) => lineOf(one, parts.get(one) ?? null, context));
}

/**
 * What charges cost after the discount, exact: what `chargeLines` rounds for each line.
 *
 * @returns amounts in the order of the charges
 * @throws BillingError `discount_currency`
 * @example
 * const nets = exactNets([charge(price('9.99'))], context({ discount: discountOf('percentage', '10') }));
 * nets // ['8.991']
 */
export function exactNets(charges: readonly Charge[], context: Pick<ChargeContext, 'currency' | 'discount'>): Decimal[] {
  const priced = charges.map((charge) => priceOf(charge, context.currency));
  const parts = partsOf(priced, context);
  return priced.map((one) => netOf(one, parts.get(one) ?? null));
}

function netOf({ full, lineRatio }: PricedCharge, part: DiscountPart | null): Decimal {
  return share(part ? full.minus(part.off) : full, lineRatio);
}

function priceOf(charge: Charge, currency: Currency): PricedCharge {
  const isUsage = isUsagePriced(charge.price);
  const priced = priceAmount(charge.price, charge.units, isUsage ? charge.ratio : FULL, currency, charge.began ?? null);
  return { charge, priced, full: owedOf(priced.exact, charge), lineRatio: isUsage ? FULL : charge.ratio };
}

function partsOf(
  priced: PricedCharge[],
  { discount, currency }: Pick<ChargeContext, 'currency' | 'discount'>,
): Map<PricedCharge | undefined, DiscountPart> {
  const own = priced.flatMap((one): [PricedCharge, DiscountPart][] =>
    one.charge.ownDiscount ? [[one, discountAgain(one.charge.ownDiscount, one.full)]] : [],
  );
  if (discount === null) return new Map(own);
  const sharing = priced.filter(({ charge }) => charge.discountable && !charge.free && !isUsagePriced(charge.price));
  const parts = discountParts(
    discount,
    sharing.map(({ full }) => full),
    currency,
  );
  return new Map([...own, ...parts.map((part, index): [PricedCharge | undefined, DiscountPart] => [sharing[index], part])]);
}

function lineOf(drawn: PricedCharge, part: DiscountPart | null, context: ChargeContext): Line {
  const back = drawn.charge.continues?.findLast(([first]) => sameDiscount(first.discount, part?.step ?? null));
  const one = back?.[0].wholeSpan ? inSpan(drawn, back[0].wholeSpan) : drawn;
  const { charge, priced } = one;
  const { currency } = context;
  const turn: ShareInTurn = charge.partBefore === undefined ? one.lineRatio : { ...one.lineRatio, before: charge.partBefore };
  const subtotal = shareInTurn(one.full, turn, currency);
  const net = part === null ? subtotal : shareInTurn(one.full.minus(part.off), turn, currency);
  const rule = taxRule(charge.price.taxCode, context.tax);
  const taxed = { ...rule, ...taxInTurn(net, rule, currency) };
  const line: Line = {
    id: context.newId('Item'),
    contractId: charge.contractId,
    chargeKey: charge.chargeKey,
    kind: charge.kind,
    source: charge.source,
    name: charge.name,
    description: makeupText(priced.pieces, currency),
    currency,
    span: charge.span,
    dueDate: charge.dueDate,
    schedulingPolicy: charge.schedulingPolicy,
    unitCount: priced.unitCount,
    unitPrice: priced.unitPrice,
    ...amountsOf({ subtotal: subtotal.rounded, discount: subtotal.rounded.minus(net.rounded) }, taxed, currency),
    discountDescription: part && discountText(part.step, currency),
    ...taxFields(taxed),
    creditOf: null,
    periodIdx: charge.periodIdx,
    derivation: asStored({
      ...derivationOf(charge, priced, taxed),
      currency,
      discount: part?.step ?? null,
      ...(charge.partBefore === undefined
        ? {}
        : {
            partBefore: { part: charge.partBefore, subtotal: moneyText(subtotal.before, currency), net: moneyText(net.before, currency) },
          }),
      rounding: roundingStep(currency, subtotal.exact, net.exact),
    }),
  };
  if (charge.inParts !== undefined) return inParts(line, charge.inParts);
  return back === undefined ? line : { ...line, ...continuing(back, line) };
}

/**
 * A charge that goes on from a line after a known end: it stays a share of the span that the line's price was for, and
 * as much of it stays free.
 */
function inSpan({ charge, priced }: PricedCharge, { length, ...free }: NonNullable<LineGivenBack['wholeSpan']>): PricedCharge {
  const { freePart: _freePart, ...others } = charge;
  const ratio = { part: charge.ratio.part, whole: length };
  return { charge: { ...others, ...free, ratio }, priced, full: owedOf(priced.exact, free), lineRatio: ratio };
}

/** The amounts and the tax that were given back, for the charge that continues these lines. */
function continuing(back: GivenBackInParts, { currency, derivation }: Line): LineAmounts & Partial<Line> {
  const { tax } = back[0].credit;
  const all = (field: keyof LineAmounts): string => moneyText(sum(back.map(({ amounts }) => dec(amounts[field]))), currency);
  return {
    subtotal: all('subtotal'),
    discountAmount: all('discountAmount'),
    totalExcludingTax: all('totalExcludingTax'),
    taxAmount: all('taxAmount'),
    totalIncludingTax: all('totalIncludingTax'),
    ...taxFields(tax),
    derivation: { ...derivation, tax, continues: back.map((one) => one.credit) },
  };
}

function derivationOf(
  charge: Charge,
  priced: Priced,
  { policy, taxCode, rate, reverseCharge, note }: TaxRule,
): Omit<ChargeDerivation, 'currency' | 'discount' | 'rounding'> {
  return {
    type: 'charge',
    kind: charge.kind,
    period: charge.span && { ...charge.span, idx: charge.periodIdx },
    units: charge.units,
    events: charge.events ?? null,
    began: charge.began ?? null,
    steps: priced.steps,
    price: { version: charge.price.id, price: charge.price },
    ...(charge.cycle ? { cycle: charge.cycle } : {}),
    ratio: ratioStep(charge.ratio),
    ratioUse: isUsagePriced(charge.price) ? 'minimum_and_fees' : 'line',
    free: charge.free,
    ...(charge.freePart ? { freePart: charge.freePart } : {}),
    ...(charge.naturalEnd === undefined ? {} : { cut: true, naturalEnd: charge.naturalEnd }),
    ...(charge.setAt === undefined ? {} : { setAt: charge.setAt }),
    ...(charge.occurrence === undefined ? {} : { occurrence: charge.occurrence }),
    tax: { policy, taxCode, rate, reverseCharge, note },
  };
}
