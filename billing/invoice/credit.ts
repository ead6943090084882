import type { Instant } from '../calendar/instant.ts';
import type { NewId } from '../contract/types.ts';
import type { CreditDerivation } from '../explain/derivation.ts';
import { ratioStep, roundingStep } from '../explain/steps.ts';
import { type Decimal, dec, larger, smaller, ZERO } from '../money/decimal.ts';
import { moneyText, roundMoney } from '../money/round.ts';
import { fail } from '../problem.ts';
import { type AmountInTurn, type ShareInTurn, shareInTurn, taxInTurn } from './in-turn.ts';
import { amountsOf, asStored } from './line.ts';
import { REVERSE_CHARGE_NOTE, type Taxed } from './tax.ts';
import type { ChargedLine, Line } from './types.ts';

/** Where a credit line goes: the contract whose invoice takes it up, and when it is due. */
export interface CreditPlace {
  contractId: string;
  newId: NewId;
  dueDate: Instant;
  /** only the time up to there is given back, as known at `setAt`; absent = to the end of the line's span */
  until?: { at: Instant; setAt: Instant };
  /** the end of the line's natural period, where what is given back ends before it */
  naturalEnd?: Instant | undefined;
}

/**
 * The line that gives back the unused part of a charged line. Its amount is what was really charged (after discount)
 * times the ratio, rounded once, with the line's own tax rate; all amounts are negative. A whole span gives the exact
 * negative of the line. What is given back of one line in several steps never exceeds it, and parts that follow each
 * other come to what one credit for all of their time would.
 *
 * @param remaining remaining time ÷ the line's own span, and the time that was given back before
 * @param at the instant from which the line is given back
 * @returns null when nothing is to be given back
 * @throws BillingError `ratio_out_of_range` for a ratio below 0 or above 1
 *
 * @example
 * const may = { start: at('2012-05-01'), end: at('2012-06-01') };
 * const [line] = chargeLines([charge(price('599.95'), { span: may })], context());
 * const place = { contractId: 'Cont_2', newId, dueDate: at('2012-05-07') };
 * creditLine(line, { part: 25, whole: 31 }, at('2012-05-07'), place).subtotal // '-483.83'
 */
export function creditLine(charged: ChargedLine, remaining: ShareInTurn, at: Instant, place: CreditPlace): Line | null {
  return lineOfCredit(charged, creditOf(charged, remaining, at), at, place);
}

/**
 * The same for what `creditOf` says of a line.
 *
 * @returns null when nothing is to be given back
 * @example
 * const may = { start: at('2012-05-01'), end: at('2012-06-01') };
 * const [line] = chargeLines([charge(price('599.95'), { span: may })], context());
 * const credit = creditOf(line, { part: 25, whole: 31 }, at('2012-05-07'));
 * const place = { contractId: 'Cont_2', newId, dueDate: at('2012-05-07') };
 * lineOfCredit(line, credit, at('2012-05-07'), place).subtotal // '-483.83'
 */
export function lineOfCredit(
  charged: ChargedLine,
  credit: Credit,
  at: Instant,
  { contractId, newId, dueDate, until, naturalEnd }: CreditPlace,
): Line | null {
  if (!credit.base.gt(0)) return null;
  return {
    id: newId('Item'),
    contractId,
    chargeKey: charged.credits === undefined ? `credit:${charged.id}` : `credit:${charged.id}:${charged.credits}`,
    kind: 'credit',
    source: charged.source,
    name: `Unused time: ${charged.name}`,
    description: charged.description,
    currency: charged.currency,
    span: charged.span && { start: at, end: until?.at ?? charged.span.end },
    dueDate,
    schedulingPolicy: 'immediate',
    unitCount: charged.unitCount,
    unitPrice: negative(charged.unitPrice),
    ...amountsOf({ subtotal: credit.subtotal.neg(), discount: credit.discount.neg() }, negated(credit.taxed), charged.currency),
    discountDescription: charged.discountDescription,
    taxCode: charged.taxCode,
    taxRate: charged.taxRate,
    taxPolicy: charged.taxPolicy,
    reverseCharge: charged.reverseCharge,
    creditOf: charged.id,
    periodIdx: charged.periodIdx,
    derivation: asStored({ ...credit.derivation, ...(until && { until }), ...(naturalEnd === undefined ? {} : { naturalEnd }) }),
  };
}

/** What of a line is given back, all amounts positive. */
export interface Credit {
  base: Decimal;
  subtotal: Decimal;
  discount: Decimal;
  taxed: Taxed;
  derivation: CreditDerivation;
}

/**
 * What is given back of a line for its unused part; zero where nothing is.
 *
 * @throws BillingError `ratio_out_of_range` for a ratio below 0 or above 1
 * @example
 * const [line] = chargeLines([charge(price('599.95'))], context());
 * creditOf(line, { part: 25, whole: 31 }, at('2012-05-07')).base // '483.83'
 */
export function creditOf(charged: ChargedLine, remaining: ShareInTurn, at: Instant): Credit {
  if (!(remaining.whole > 0 && remaining.part >= 0 && remaining.part <= remaining.whole)) {
    return fail('ratio', 'ratio_out_of_range', 'give a ratio from 0 to 1');
  }
  const given = givenBack(charged, remaining);
  const { base, turn, taxed } = given;
  const before = shareInTurn(dec(charged.subtotal), remaining, charged.currency);
  const derivation = derivationOf(charged, remaining, at, { subtotal: before, net: turn });
  return { base, ...beforeDiscount(charged, before.rounded, given), taxed, derivation };
}

const NO_MONEY: Taxed = { totalExcludingTax: ZERO, taxAmount: ZERO, totalIncludingTax: ZERO };

/**
 * What is given back, positive: `base` is the amount that the tax policy starts from, `turn` the same whatever credits
 * before it have left.
 */
interface GivenBack {
  base: Decimal;
  turn: AmountInTurn;
  taxed: Taxed;
}

function givenBack(charged: ChargedLine, remaining: ShareInTurn): GivenBack {
  const turn = shareInTurn(baseOf(charged), remaining, charged.currency);
  const { rounded } = turn;
  const rest = restOf(charged);
  if (!rounded.gt(0)) return { base: ZERO, turn, taxed: NO_MONEY };
  if (rounded.gte(byPolicy(charged, rest))) return { base: byPolicy(charged, rest), turn, taxed: rest };
  const taxed = taxInTurn(turn, { rate: charged.taxRate, policy: charged.taxPolicy }, charged.currency);
  return { base: rounded, turn, taxed: within(charged, rounded, taxed, rest) };
}

/** Where less than the rest is given back, the amount stays, and neither its tax nor its net exceeds the rest's. */
function within(charged: ChargedLine, base: Decimal, taxed: Taxed, rest: Taxed): Taxed {
  const taxAmount = smaller(taxed.taxAmount, rest.taxAmount);
  if (charged.taxPolicy === 'tax_excluded') return { totalExcludingTax: base, taxAmount, totalIncludingTax: base.plus(taxAmount) };
  const totalExcludingTax = smaller(base.minus(taxAmount), rest.totalExcludingTax);
  return { totalExcludingTax, taxAmount: base.minus(totalExcludingTax), totalIncludingTax: base };
}

/** What no credit has given back yet. */
function restOf(charged: ChargedLine): Taxed {
  const totalExcludingTax = dec(charged.totalExcludingTax).minus(charged.creditedExcludingTax ?? '0');
  const taxAmount = dec(charged.taxAmount).minus(charged.creditedTax ?? '0');
  return { totalExcludingTax, taxAmount, totalIncludingTax: totalExcludingTax.plus(taxAmount) };
}

function byPolicy(charged: ChargedLine, amounts: Taxed): Decimal {
  return charged.taxPolicy === 'tax_included' ? amounts.totalIncludingTax : amounts.totalExcludingTax;
}

function baseOf(charged: ChargedLine): Decimal {
  return dec(charged.taxPolicy === 'tax_included' ? charged.totalIncludingTax : charged.totalExcludingTax);
}

/**
 * The subtotal in the same proportion, rounded from its exact amount like the amount itself; their difference is the
 * discount. Where credit notes left less than that, both are reduced in proportion. All parts together never give back
 * more than the line's subtotal.
 */
function beforeDiscount(charged: ChargedLine, rounded: Decimal, { base, turn }: GivenBack): { subtotal: Decimal; discount: Decimal } {
  const all = dec(charged.subtotal);
  const inProportion = base.eq(turn.rounded) ? rounded : roundMoney(all.times(base).div(baseOf(charged)), charged.currency);
  const left = all.minus(charged.rest?.subtotal ?? '0');
  const subtotal = larger(smaller(inProportion, left), base);
  return { subtotal, discount: subtotal.minus(base) };
}

function negated(taxed: Taxed): Taxed {
  return {
    totalExcludingTax: taxed.totalExcludingTax.neg(),
    taxAmount: taxed.taxAmount.neg(),
    totalIncludingTax: taxed.totalIncludingTax.neg(),
  };
}

function negative(price: string): string {
  return dec(price).isZero() ? price : `-${price}`;
}

function derivationOf(
  charged: ChargedLine,
  remaining: ShareInTurn,
  at: Instant,
  { subtotal, net }: Record<'subtotal' | 'net', AmountInTurn>,
): CreditDerivation {
  const negativeExact = net.exact.neg();
  const money = (amount: Decimal): string => moneyText(amount, charged.currency);
  return {
    type: 'credit',
    currency: charged.currency,
    line: {
      id: charged.id,
      name: charged.name,
      subtotal: charged.subtotal,
      discountAmount: charged.discountAmount,
      totalExcludingTax: charged.totalExcludingTax,
      taxAmount: charged.taxAmount,
      totalIncludingTax: charged.totalIncludingTax,
    },
    credited: {
      excludingTax: charged.creditedExcludingTax ?? '0',
      tax: charged.creditedTax ?? '0',
      ...(charged.rest ? { subtotal: charged.rest.subtotal } : {}),
    },
    at,
    ratio: ratioStep(remaining),
    tax: {
      policy: charged.taxPolicy,
      taxCode: charged.taxCode,
      rate: charged.taxRate,
      reverseCharge: charged.reverseCharge,
      note: charged.reverseCharge ? REVERSE_CHARGE_NOTE : null,
    },
    ...(remaining.before === undefined
      ? {}
      : { partBefore: { part: remaining.before, subtotal: money(subtotal.before), net: money(net.before) } }),
    rounding: roundingStep(charged.currency, negativeExact, negativeExact),
  };
}
