import type { BilledPlace, BilledStep, ChargeDerivation } from '../explain/derivation.ts';
import { type Decimal, dec, sum, text } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import { shareOfLeft, withinLeft } from './left.ts';
import { amountsOf, type LineAmounts, taxFields } from './line.ts';
import { addedTo, chargedBefore, isTaxedAlike, nextPart, type TaxRuleOfLine } from './parts.ts';
import { applyTax, REVERSE_CHARGE_NOTE, type Taxed, type TaxRule } from './tax.ts';
import type { BilledParts, ChargedSum, Line } from './types.ts';

/** Usage that is charged in parts: before its period closes, or what is left then. */
export interface InParts {
  /** what has charged the period before, and the periods before it whose usage goes on, oldest first */
  billed: readonly BilledParts[];
  /** the period goes on */
  soFar: boolean;
}

/**
 * What a line of usage still charges: the price of all units less what lines before it have charged, so that all of
 * them add up to the one line of the whole period, to the cent, without and with tax. Tax is computed for all lines of
 * one tax rule as for one; what was charged under another rule keeps its tax. A line below zero gives that back with
 * the tax it was charged with, and at most what credit notes have left; where it gives back more than was charged under
 * any one rule, the share of all that was charged.
 *
 * @param whole the line as it would be if nothing had been charged before; usage has no discount
 * @example
 * const terms = context({ tax: taxAt('0.19', 'tax_excluded') });
 * const calls = (units) => chargeLines([charge(usage('0.333'), { units, kind: 'usage' })], terms)[0];
 * const place = { contractId: 'Cont_1', periodIdx: 1 };
 * const first = inParts({ ...calls('10'), ...place }, { billed: [], soFar: true });
 * const last = inParts({ ...calls('20'), ...place }, { billed: withPart([], first), soFar: false });
 * [first, last].map(({ totalExcludingTax, taxAmount }) => [totalExcludingTax, taxAmount]) // [['3.33', '0.63'], ['3.33', '0.64']]
 * [calls('20').totalExcludingTax, calls('20').taxAmount] // ['6.66', '1.27']
 */
export function inParts(whole: Line, { billed, soFar }: InParts): Line {
  const line = countOf(billed) === 0 ? firstPart(whole, soFar) : laterPart(whole, billed, soFar);
  if (!soFar) return line;
  const part = { number: nextPart(whole, billed), sums: [...sumsBefore(line, billed), line].reduce(addedTo, NONE) };
  return { ...line, derivation: { ...line.derivation, soFar: true, part } };
}

const NONE: ChargedSum[] = [];

/** What was charged before: as one, under the line's rule, once a share of all that was charged comes back. */
function sumsBefore(line: Line, billed: readonly BilledParts[]): readonly ChargedSum[] {
  const sums = chargedBefore(line, billed);
  const { billed: step } = line.derivation as Partial<ChargeDerivation>;
  if (!step?.left?.inProportion) return sums;
  const { taxPolicy, taxRate, taxCode, reverseCharge } = line;
  return sums.map((one) => ({ ...one, taxPolicy, taxRate, taxCode, reverseCharge }));
}

const firstPart = (whole: Line, soFar: boolean): Line => (soFar ? { ...whole, description: soFarText(whole) } : whole);

function laterPart(whole: Line, billed: readonly BilledParts[], soFar: boolean): Line {
  const line = taxedAsBilled(whole, billed);
  const step = billedStep(line, billed);
  return {
    ...line,
    unitCount: text(dec(whole.unitCount).minus(step.units)),
    description: `${whole.subtotal}${soFar ? ' so far' : ''}, less ${step.subtotal} billed before`,
    ...amountsLeft(line, step),
    derivation: { ...line.derivation, billed: step },
  };
}

const soFarText = ({ description }: Line): string => (description === null ? 'so far' : `${description}, so far`);

type Amount = 'subtotal' | 'totalIncludingTax' | 'taxAmount' | 'unitCount' | 'totalExcludingTax';

/** Sums of what was charged before and isn't voided, of all of it or of what is wanted. */
function totalOf(billed: readonly BilledParts[], field: Amount, isWanted: (one: ChargedSum) => boolean = () => true): Decimal {
  const of = (some: readonly ChargedSum[]): Decimal => sum(some.filter(isWanted).map((one) => dec(one[field])));
  return of(billed.flatMap(({ sums }) => sums)).minus(of(billed.flatMap(({ voided }) => voided)));
}

/**
 * The line with the tax rule under which most was charged, where it gives back more than was charged under its own:
 * taxes have changed since.
 */
function taxedAsBilled(whole: Line, billed: readonly BilledParts[]): Line {
  if (dec(whole.subtotal).gte(totalOf(billed, 'subtotal')) || !isBeyond(whole, billed)) return whole;
  const charged = (rule: TaxRuleOfLine): Decimal => totalOf(billed, 'subtotal', (one) => isTaxedAlike(one, rule));
  const [most] = billed.flatMap(({ sums }) => sums).toSorted((a, b) => charged(b).comparedTo(charged(a)));
  return most === undefined ? whole : withRule(whole, most);
}

function withRule(line: Line, { taxPolicy: policy, taxCode, taxRate: rate, reverseCharge }: TaxRuleOfLine): Line {
  const tax: TaxRule = { policy, taxCode, rate, reverseCharge, note: reverseCharge ? REVERSE_CHARGE_NOTE : null };
  return { ...line, ...taxFields(tax), derivation: { ...line.derivation, tax } };
}

function billedStep(whole: Line, billed: readonly BilledParts[]): BilledStep {
  const total = (field: Amount, isWanted?: (one: ChargedSum) => boolean): Decimal => totalOf(billed, field, isWanted);
  const money = (amount: Decimal): string => moneyText(amount, whole.currency);
  const alike = (one: ChargedSum): boolean => isTaxedAlike(one, whole);
  const step: BilledStep = {
    places: billed.map(placeOf),
    lines: countOf(billed),
    last: billed.at(-1)?.last ?? '',
    units: text(total('unitCount')),
    subtotal: money(total('subtotal')),
    totalIncludingTax: money(total('totalIncludingTax')),
    taxed: { subtotal: money(total('subtotal', alike)), taxAmount: money(total('taxAmount', alike)) },
  };
  const noted = billed.flatMap((parts) => parts.noted ?? []);
  const isOfOneRule = billed.every(({ sums }) => sums.every(alike));
  if ((noted.length === 0 && isOfOneRule) || dec(whole.subtotal).gte(step.subtotal)) return step;
  const left = (field: 'totalExcludingTax' | 'taxAmount'): string => money(total(field).minus(sum(noted.map((one) => dec(one[field])))));
  const share = isBeyond(whole, billed) ? { inProportion: true as const } : {};
  return { ...step, left: { totalExcludingTax: left('totalExcludingTax'), taxAmount: left('taxAmount'), ...share } };
}

/** Whether a line gives back more than was charged under its own tax rule. */
function isBeyond(whole: Line, billed: readonly BilledParts[]): boolean {
  const own = totalOf(billed, 'subtotal', (one) => isTaxedAlike(one, whole));
  return totalOf(billed, 'subtotal').minus(whole.subtotal).gt(own);
}

/** How many lines charge what was charged before. */
const countOf = (billed: readonly BilledParts[]): number => billed.reduce((count, { upTo, voided }) => count + upTo - voided.length, 0);

function placeOf({ contractId, periodIdx: idx, upTo, voided }: BilledParts): BilledPlace {
  return { contractId, idx, upTo, ...(voided.length === 0 ? {} : { without: voided.map(({ part }) => part) }) };
}

function amountsLeft(whole: Line, step: BilledStep): LineAmounts {
  const { currency, taxPolicy } = whole;
  const part = dec(whole.subtotal).minus(step.subtotal);
  if (step.left?.inProportion) {
    const share = shareOfLeft(step.left, { back: part.neg(), charged: dec(step.subtotal) }, taxPolicy, currency);
    return amountsOf({ subtotal: part, discount: dec(0) }, share, currency);
  }
  const taxed = taxedPart(whole, step, part);
  const within = step.left === undefined ? taxed : withinLeft(taxed, step.left);
  const isCut = !within.totalIncludingTax.eq(taxed.totalIncludingTax);
  const subtotal = isCut ? (taxPolicy === 'tax_included' ? within.totalIncludingTax : within.totalExcludingTax) : part;
  return amountsOf({ subtotal, discount: dec(0) }, within, currency);
}

/** The tax of this line and of those with the same rule together, less what those have charged of it. */
function taxedPart({ taxRate, taxPolicy, currency }: Line, { taxed: before }: BilledStep, part: Decimal): Taxed {
  const together = applyTax(part.plus(before.subtotal), taxRate, taxPolicy, currency);
  const taxAmount = together.taxAmount.minus(before.taxAmount);
  return taxPolicy === 'tax_included'
    ? { totalExcludingTax: part.minus(taxAmount), taxAmount, totalIncludingTax: part }
    : { totalExcludingTax: part, taxAmount, totalIncludingTax: part.plus(taxAmount) };
}
