import type { BilledStep } from '../explain/derivation.ts';
import { type Decimal, dec, sum, text } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import { withinLeft } from './left.ts';
import { amountsOf, type LineAmounts } from './line.ts';
import { applyTax, type Taxed } from './tax.ts';
import type { BilledLine, Line } from './types.ts';

/** Usage that is charged in parts: before its period closes, or what is left then. */
export interface InParts {
  /** the lines that have charged the period before, oldest first; voided ones count for nothing */
  billed: readonly BilledLine[];
  /** the period goes on */
  soFar: boolean;
}

/**
 * What a line of usage still charges: the price of all units less what lines before it have charged, so that all of
 * them add up to the one line of the whole period, to the cent, without and with tax. Tax is computed for all lines of
 * one tax rule as for one; what was charged under another rule keeps its tax. A line below zero gives back at most what
 * credit notes have left.
 *
 * @param whole the line as it would be if nothing had been charged before; usage has no discount
 * @example
 * const terms = context({ tax: taxAt('0.19', 'tax_excluded') });
 * const calls = (units) => chargeLines([charge(usage('0.333'), { units, kind: 'usage' })], terms)[0];
 * const first = { ...inParts(calls('10'), { billed: [], soFar: true }), invoiceId: 'Inv_1', voided: false };
 * const last = inParts(calls('20'), { billed: [first], soFar: false });
 * [first, last].map(({ totalExcludingTax, taxAmount }) => [totalExcludingTax, taxAmount]) // [['3.33', '0.63'], ['3.33', '0.64']]
 * [calls('20').totalExcludingTax, calls('20').taxAmount] // ['6.66', '1.27']
 */
export function inParts(whole: Line, { billed: all, soFar }: InParts): Line {
  const billed = all.filter(({ voided }) => !voided);
  const derivation = soFar ? { ...whole.derivation, soFar: true } : whole.derivation;
  if (billed.length === 0) return { ...whole, derivation, description: soFar ? soFarText(whole) : whole.description };
  const step = billedStep(whole, billed);
  return {
    ...whole,
    unitCount: text(dec(whole.unitCount).minus(step.units)),
    description: `${whole.subtotal}${soFar ? ' so far' : ''}, less ${step.subtotal} billed before`,
    ...amountsLeft(whole, step),
    derivation: { ...derivation, billed: step },
  };
}

const soFarText = ({ description }: Line): string => (description === null ? 'so far' : `${description}, so far`);

type Amount = 'subtotal' | 'totalIncludingTax' | 'taxAmount' | 'unitCount' | 'totalExcludingTax' | 'creditedExcludingTax' | 'creditedTax';

const total = (lines: readonly BilledLine[], field: Amount): Decimal => sum(lines.map((line) => dec(line[field] ?? '0')));

function billedStep(whole: Line, billed: readonly BilledLine[]): BilledStep {
  const money = (amount: Decimal): string => moneyText(amount, whole.currency);
  const alike = billed.filter((line) => isTaxedAlike(line, whole));
  const step: BilledStep = {
    lines: billed.map(({ id }) => id),
    units: text(total(billed, 'unitCount')),
    subtotal: money(total(billed, 'subtotal')),
    totalIncludingTax: money(total(billed, 'totalIncludingTax')),
    taxed: { subtotal: money(total(alike, 'subtotal')), taxAmount: money(total(alike, 'taxAmount')) },
  };
  const isNoted = billed.some(({ creditedExcludingTax }) => creditedExcludingTax !== undefined);
  if (!isNoted || dec(whole.subtotal).gte(step.subtotal)) return step;
  return {
    ...step,
    left: {
      totalExcludingTax: money(total(billed, 'totalExcludingTax').minus(total(billed, 'creditedExcludingTax'))),
      taxAmount: money(total(billed, 'taxAmount').minus(total(billed, 'creditedTax'))),
    },
  };
}

function isTaxedAlike(line: Line, other: Line): boolean {
  return (
    line.taxPolicy === other.taxPolicy &&
    line.taxRate === other.taxRate &&
    line.taxCode === other.taxCode &&
    line.reverseCharge === other.reverseCharge
  );
}

function amountsLeft(whole: Line, step: BilledStep): LineAmounts {
  const { currency, taxPolicy } = whole;
  const part = dec(whole.subtotal).minus(step.subtotal);
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
