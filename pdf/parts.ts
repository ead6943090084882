import type { ChargeDerivation, CorrectionDerivation, CreditDerivation, LineDerivation } from '../billing/explain/derivation.ts';
import type { ChargedLine } from '../billing/invoice/types.ts';
import { type Currency, minorDigits } from '../billing/money/currency.ts';
import { dec, sum } from '../billing/money/decimal.ts';
import type { FractionText } from '../billing/money/fraction.ts';
import { owedOf } from '../billing/pricing/owed.ts';
import type { PriceStep } from '../billing/pricing/step.ts';
import { amountText, exactText, fractionShareText, groupedPriceText, quantityText, shareText } from './text.ts';

/** How a line's amount is computed, for the customer: the cells beside its name, and the parts below it. */
export interface Makeup {
  quantity: string;
  unitPrice: string;
  notes: string[];
  parts: Part[];
}

interface Part {
  label: string;
  quantity: string;
  unitPrice: string;
  amount: string;
}

type PricedStep = Extract<PriceStep, { step: 'flat' | 'charge' | 'fee' }>;

const NOTHING: Makeup = { quantity: '', unitPrice: '', notes: [], parts: [] };

/** The makeup of a line from its stored derivation; a line without a known derivation shows its units and price. */
export function makeupOf(line: ChargedLine): Makeup {
  const derivation = line.derivation as unknown as Partial<LineDerivation>;
  const makeup =
    derivation.type === 'charge'
      ? chargeMakeup(line, derivation as ChargeDerivation)
      : derivation.type === 'credit'
        ? creditMakeup(line, derivation as CreditDerivation)
        : derivation.type === 'correction'
          ? correctionMakeup(line, derivation as CorrectionDerivation)
          : plainMakeup(line);
  return line.kind === 'credit' ? makeup : { ...makeup, parts: [...makeup.parts, ...discountPart(line)] };
}

function plainMakeup({ unitCount, unitPrice, currency, description }: ChargedLine): Makeup {
  const notes = description === null || description === '' ? [] : [description];
  return { ...NOTHING, quantity: quantityText(unitCount), unitPrice: groupedPriceText(unitPrice, currency), notes };
}

function chargeMakeup(line: ChargedLine, derivation: ChargeDerivation): Makeup {
  const { steps, free, freePart, ratio, ratioUse } = derivation;
  const priced = pricedSteps(steps);
  const quantity = quantityText(line.unitCount);
  if (free) return { ...NOTHING, quantity, notes: ['Free of charge'] };
  const whole = sum(priced.map((step) => dec(step.amount)));
  const share = ratioUse === 'line' ? shareText(ratio) : null;
  const ofWhole = share === null ? null : `${share} of ${amountText(whole.toFixed(), line.currency)}`;
  const shared = ofWhole === null ? whole : whole.times(ratio.part).div(ratio.whole);
  const owed = owedOf(shared, { free, freePart });
  const off = freePartOf(freePart, owed.minus(shared).toFixed(), line);
  // with several prices the line's own price is an average, so it is not shown
  if (priced.length === 0 || !isSum(owed.toFixed(), line.subtotal, line)) return { ...plainMakeup(line), unitPrice: '' };
  const notes = unitNotes(derivation);
  const [only] = priced;
  if (priced.length === 1 && only !== undefined && only.step !== 'fee') {
    return { ...NOTHING, ...besideOf(only, line), notes: ofWhole === null ? notes : [...notes, ofWhole], parts: off };
  }
  const rest = ofWhole === null ? [] : [{ ...blank(ofWhole), amount: exactText(shared.toFixed(), line.currency) }];
  return { ...NOTHING, quantity, notes, parts: [...priced.map((step) => partOf(step, line)), ...rest, ...off] };
}

/** A credit has no units and no price: it is a share of what was charged. */
function creditMakeup({ currency }: ChargedLine, { line, tax, ratio }: CreditDerivation): Makeup {
  const charged = amountText(tax.policy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax, currency);
  return { ...NOTHING, notes: [`${shareText(ratio) ?? 'All'} of ${charged}`] };
}

function correctionMakeup(line: ChargedLine, { units, steps, free, freePart, charged }: CorrectionDerivation): Makeup {
  const notes = [`Usage corrected to ${quantityText(units)}`];
  const parts = free ? [] : pricedSteps(steps).map((step) => partOf(step, line));
  const whole = sum(pricedSteps(steps).map((step) => dec(step.amount)));
  const owed = owedOf(whole, { free, freePart });
  const off = freePartOf(free ? undefined : freePart, owed.minus(whole).toFixed(), line);
  if (!isSum(owed.minus(charged).toFixed(), line.subtotal, line)) return { ...NOTHING, notes };
  const before = { ...blank('Charged before'), amount: amountText(dec(charged).neg().toFixed(), line.currency) };
  return { ...NOTHING, notes, parts: [...parts, ...off, before] };
}

/** The steps that add up to the amount; a fee of zero is left out. */
const pricedSteps = (steps: readonly PriceStep[]): PricedStep[] =>
  steps
    .filter((step): step is PricedStep => step.step === 'flat' || step.step === 'charge' || step.step === 'fee')
    .filter((step) => step.step !== 'fee' || !dec(step.amount).isZero());

/** Steps are stored with 12 places, so their sum may differ from the rounded line by its last digit. */
function isSum(exact: string, amount: string, { currency }: ChargedLine): boolean {
  return dec(exact)
    .minus(amount)
    .abs()
    .lte(dec(10).pow(-minorDigits(currency)));
}

const blank = (label: string): Part => ({ label, quantity: '', unitPrice: '', amount: '' });

function besideOf(step: PricedStep, { currency }: ChargedLine): Pick<Part, 'quantity' | 'unitPrice'> {
  switch (step.step) {
    case 'flat':
      return { quantity: '1', unitPrice: groupedPriceText(step.amount, currency) };
    case 'charge':
      return { quantity: quantityText(step.units), unitPrice: groupedPriceText(step.unitPrice, currency) };
    case 'fee':
      return { quantity: '', unitPrice: '' };
  }
}

function partOf(step: PricedStep, line: ChargedLine): Part {
  return { label: labelOf(step, line), ...besideOf(step, line), amount: exactText(step.amount, line.currency) };
}

function labelOf(step: PricedStep, { currency }: ChargedLine): string {
  if (step.step === 'flat') return '';
  if (step.step === 'fee') return feeLabel(step, currency);
  if (step.upTo !== null) return `Up to ${quantityText(step.upTo)}`;
  return dec(step.from).isZero() ? 'All units' : `Above ${quantityText(step.from)}`;
}

function feeLabel({ fee, ratio, before = '0' }: Extract<PriceStep, { step: 'fee' }>, currency: Currency): string {
  const share = shareText(ratio);
  const part = share === null ? null : `Flat fee, ${share} of ${groupedPriceText(fee, currency)}`;
  if (dec(before).isZero()) return part ?? 'Flat fee';
  return `${part ?? `Flat fee of ${groupedPriceText(fee, currency)}`}, less ${groupedPriceText(before, currency)} charged before`;
}

/** Why the charged units differ from those used or ordered, and how many were counted before a change. */
function unitNotes({ units, steps, events }: ChargeDerivation): string[] {
  const why = steps.flatMap((step, index) => {
    const before = steps[index - 1];
    const isRaised = before !== undefined && 'units' in before && 'units' in step && !dec(before.units).eq(step.units);
    return unitNote(step, isRaised);
  });
  return why.length === 0 ? [] : [[`${quantityText(units)} ${events === null ? 'ordered' : 'used'}`, ...why].join(', ')];
}

function unitNote(step: PriceStep, isRaised: boolean): string[] {
  switch (step.step) {
    case 'began':
      return [`${quantityText(step.before)} counted before`];
    case 'batch':
      return isRaised ? [`rounded up to packs of ${quantityText(String(step.batchSize))}`] : [];
    case 'minimum':
      return isRaised ? [`at least ${quantityText(step.units)} are charged`] : [];
    case 'part_minimum':
      return [`at least ${quantityText(step.units)} are charged`];
    default:
      return [];
  }
}

/** The part of a cycle that is free of charge. */
function freePartOf(freePart: FractionText | undefined, amount: string, { currency }: ChargedLine): Part[] {
  return freePart === undefined ? [] : [{ ...blank(`${fractionShareText(freePart)} free of charge`), amount: exactText(amount, currency) }];
}

function discountPart({ discountAmount, discountDescription, currency }: ChargedLine): Part[] {
  if (dec(discountAmount).isZero()) return [];
  const label = ['Discount', discountDescription].filter((text) => text !== null && text !== '').join(' ');
  return [{ ...blank(label), amount: amountText(dec(discountAmount).neg().toFixed(), currency) }];
}
