import type { Instant } from '../calendar/instant.ts';
import type { NewId, UsageCorrection } from '../contract/types.ts';
import type { CorrectionDerivation } from '../explain/derivation.ts';
import { ratioStep, roundingStep } from '../explain/steps.ts';
import type { Currency } from '../money/currency.ts';
import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import { roundMoney } from '../money/round.ts';
import { priceAmount } from '../pricing/amount.ts';
import { owedOf } from '../pricing/owed.ts';
import type { ClosedUsage } from '../usage/types.ts';
import { type LeftOfCharge, shareOfLeft, withinLeft } from './left.ts';
import { amountsOf, asStored, taxFields } from './line.ts';
import { applyTax, type Taxed, type TaxRule, taxRule } from './tax.ts';
import type { Line, TaxContext } from './types.ts';

/** The closed usage a correction belongs to, priced as it was when it closed, and where its line goes. */
export interface CorrectionContext extends ClosedUsage {
  currency: Currency;
  /** for usage whose line is voided */
  tax: TaxContext;
  dueDate: Instant;
  newId: NewId;
}

/**
 * The line of a correction to a closed usage period: the price of the corrected units, by the same rules and rounded
 * once, less what was charged for the period so far; then tax, by the rule of the line that closed the period, whatever
 * applies by now. A part of a billing period is priced from the count at which it began when it closed, so that no
 * other part is priced again. The line is negative when less was used. A difference of zero makes a line of zero, so
 * that the correction is seen. At most what corrections and credit notes have left of the charge is given back; where
 * that goes beyond what was charged by this tax rule, the share of all of it.
 *
 * @example
 * const closed = { lineId: 'Item_1', name: 'Calls', price: usage('0.0295', { batch: 100 }), ratio: FULL, free: false,
 *   span: { start: at('2025-06-01'), end: at('2025-07-01') }, began: null };
 * const place = { ...closed, currency: 'usd', tax: noTax, dueDate: at('2025-07-04'), newId };
 * const correction = { periodIdx: 1, slug: 'calls', units: '199', charged: '11.80', occasion: 'Corr_1' };
 * correctionLine(correction, place).subtotal // '-5.90'
 * correctionLine({ ...correction, left: { totalExcludingTax: '2.00', taxAmount: '0.00' } }, place).subtotal // '-2.00'
 */
export function correctionLine(correction: UsageCorrection, context: CorrectionContext): Line {
  const { price, ratio, currency } = context;
  const priced = priceAmount(price, correction.units, ratio, currency, context.began);
  const owed = owedOf(priced.exact, context);
  const { difference, taxed, left } = differenceOf(roundMoney(owed, currency), correction, context);
  const source = `feature:${correction.slug}`;
  const derivation: CorrectionDerivation = {
    ...derivationOf(correction, context, taxed),
    ...(left ? { left } : {}),
    steps: priced.steps,
    rounding: roundingStep(currency, owed, owed),
  };
  return {
    id: context.newId('Item'),
    contractId: correction.contractId,
    chargeKey: `correction:${correction.periodIdx}:${source}:${correction.occasion}`,
    kind: 'correction',
    source,
    name: `Correction: ${context.name}`,
    description: `Usage period ${correction.periodIdx}`,
    currency,
    span: context.span,
    dueDate: context.dueDate,
    schedulingPolicy: 'immediate',
    unitCount: priced.unitCount,
    unitPrice: priced.unitPrice,
    ...amountsOf({ subtotal: difference, discount: ZERO }, taxed, currency),
    discountDescription: null,
    ...taxFields(taxed),
    creditOf: null,
    periodIdx: correction.periodIdx,
    derivation: asStored(derivation),
  };
}

/** @returns with `left` where no more than that can be given back */
function differenceOf(
  owed: Decimal,
  { charged, left, chargedAlike }: UsageCorrection,
  { price, tax, taxed: rule = taxRule(price.taxCode, tax), currency }: CorrectionContext,
): { difference: Decimal; taxed: Taxed & TaxRule; left?: LeftOfCharge } {
  const difference = owed.minus(dec(charged));
  const all = applyTax(difference, rule.rate, rule.policy, currency);
  const taxed = { ...rule, ...all };
  if (left === undefined || !difference.lt(0)) return { difference, taxed };
  if (chargedAlike !== undefined && difference.neg().gt(dec(chargedAlike))) {
    const share = shareOfLeft(left, { back: difference.neg(), charged: dec(charged) }, rule.policy, currency);
    return { difference, taxed: { ...rule, ...share }, left: { ...left, inProportion: true } };
  }
  const within = withinLeft(all, left);
  if (within.totalExcludingTax.eq(all.totalExcludingTax) && within.taxAmount.eq(all.taxAmount)) return { difference, taxed };
  const given = rule.policy === 'tax_included' ? within.totalIncludingTax : within.totalExcludingTax;
  return { difference: given, taxed: { ...rule, ...within }, left };
}

function derivationOf(
  correction: UsageCorrection,
  { lineId, price, ratio, span, free, freePart, began, currency }: CorrectionContext,
  { policy, taxCode, rate, reverseCharge, note }: TaxRule,
): Omit<CorrectionDerivation, 'steps' | 'rounding'> {
  return {
    type: 'correction',
    currency,
    period: { ...span, idx: correction.periodIdx },
    units: correction.units,
    price: { version: price.id, price },
    ratio: ratioStep(ratio),
    free,
    ...(freePart ? { freePart } : {}),
    charged: correction.charged,
    began,
    lineId,
    occasion: correction.occasion,
    tax: { policy, taxCode, rate, reverseCharge, note },
  };
}
