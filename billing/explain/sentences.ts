import { iso } from '../calendar/instant.ts';
import type { FollowedRule } from '../contract/terms/change-rules.ts';
import type { Line } from '../invoice/types.ts';
import { dec, text } from '../money/decimal.ts';
import { type FractionText, fractionOf, fractionText } from '../money/fraction.ts';
import { moneyText } from '../money/round.ts';
import type { PriceStep } from '../pricing/step.ts';
import type {
  ChargeDerivation,
  CorrectionDerivation,
  CreditDerivation,
  DifferenceDerivation,
  DiscountStep,
  PartBefore,
  PeriodStep,
  PriceCompared,
  PurchaseDerivation,
  RatioStep,
  TaxStep,
  WalletDerivation,
} from './derivation.ts';
import { ratioStep } from './steps.ts';

type Amounts = Pick<Line, 'currency' | 'subtotal' | 'discountAmount' | 'totalExcludingTax' | 'taxAmount' | 'totalIncludingTax'>;

/** How a charge came about, a sentence per step. */
export function chargeSentences(derivation: ChargeDerivation, line: Amounts): string[] {
  const { period, events, units, steps, price, tax, continues } = derivation;
  return [
    ...periodSentence(period),
    ...(events === null ? [] : [events === 1 ? `1 usage event of ${units} units.` : `${events} usage events add up to ${units} units.`]),
    `Price version ${price.version}.`,
    ...steps.map(stepSentence),
    ...(continues === undefined ? computedSentences(derivation, line) : continuedSentences(continues, line)),
    ...partSentences(derivation, line),
    taxSentence(tax, line),
  ];
}

/** Usage that an invoice threshold has charged in parts. */
function partSentences({ soFar, billed, rounding }: ChargeDerivation, { currency, subtotal }: Amounts): string[] {
  return [
    ...(soFar === undefined
      ? []
      : ['The period goes on and its usage has reached the invoice threshold: its own fee and its minimum are charged with its end.']),
    ...(billed === undefined
      ? []
      : [
          `Less ${billed.subtotal}, which ${billed.lines === 1 ? `the item ${billed.last}` : `${billed.lines} items up to ${billed.last}`} charged before.`,
        ]),
    ...(billed?.left === undefined
      ? []
      : [`Of that ${billed.left.totalExcludingTax} and ${billed.left.taxAmount} tax are left: ${ofLeft(billed.left)}.`]),
    ...(billed === undefined ? [] : [`${moneyText(rounding.exactSubtotal, currency)} less that is charged: ${subtotal}.`]),
  ];
}

const ofLeft = ({ inProportion }: NonNullable<CorrectionDerivation['left']>): string =>
  inProportion ? 'taxes have changed meanwhile, and a share of both is given back' : 'no more is given back';

function computedSentences(derivation: ChargeDerivation, line: Amounts): string[] {
  const { free, freePart, ratio, ratioUse, discount, rounding, billed, partBefore } = derivation;
  const isAlone = billed === undefined && partBefore === undefined;
  const whole = isAlone ? line.subtotal : moneyText(rounding.exactSubtotal, line.currency);
  const net = dec(line.subtotal)
    .minus(line.discountAmount)
    .plus(partBefore?.net ?? '0');
  return [
    ...(free ? ['This cycle is free: the amount is zero.'] : freeSentence(freePart)),
    ...(ratioUse === 'line' && ratio.part !== ratio.whole ? [proRatedSentence(ratio, partBefore)] : []),
    ...discountSentence(discount, line),
    `Rounded once to ${rounding.digits} digits, half away from zero: ${rounding.exactSubtotal} to ${whole}${
      discount ? `, after discount ${rounding.exactNet} to ${moneyText(net, line.currency)}` : ''
    }.`,
    ...(partBefore === undefined ? [] : [`Less ${beforeText(partBefore, discount)} for the time before: ${line.subtotal}.`]),
  ];
}

function proRatedSentence(ratio: RatioStep, partBefore: PartBefore | undefined): string {
  if (partBefore === undefined) return `Pro-rated: times ${ratioText(ratio)}.`;
  return `Goes on from ${partBefore.part} / ${ratio.whole} that were charged before: times ${ratioText(withBefore(ratio, partBefore))}.`;
}

const withBefore = ({ part, whole }: RatioStep, { part: before }: PartBefore): RatioStep => ratioStep({ part: part + before, whole });

const beforeText = ({ subtotal, net }: PartBefore, discount: DiscountStep | null): string =>
  discount === null ? subtotal : `${subtotal}, after discount ${net},`;

function freeSentence(freePart: FractionText | undefined): string[] {
  return freePart === undefined ? [] : [`${shareText(freePart)} of this cycle are free: that share of the amount isn't charged.`];
}

function shareText(part: FractionText): string {
  return `${part.num} / ${part.den} (${fractionText(fractionOf(part), 12)})`;
}

function continuedSentences(credits: readonly CreditDerivation[], line: Amounts): string[] {
  const net = moneyText(dec(line.subtotal).minus(line.discountAmount), line.currency);
  return [
    ...credits.map(({ line: { id, name }, at, ratio }, index) => {
      const shown = ratioText(ratio);
      return index === 0
        ? `Goes on with "${name}" (${id}), of which ${shown} was given back at the same instant, ${iso(at)}.`
        : `Then with "${name}" (${id}), of which ${shown} was given back from ${iso(at)} on.`;
    }),
    `Exactly that is charged: ${net}.`,
  ];
}

/** How a credit came about. */
export function creditSentences(derivation: CreditDerivation, line: Amounts): string[] {
  const { line: charged, ratio, at, until, tax, credited } = derivation;
  const base = tax.policy === 'tax_included' ? charged.totalIncludingTax : charged.totalExcludingTax;
  const earlier = dec(credited.excludingTax).plus(credited.tax);
  const given = tax.policy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax;
  return [
    `Gives back part of "${charged.name}" (${charged.id}), which charged ${base} after discount.`,
    until === undefined
      ? `From ${iso(at)} on: times ${ratioText(ratio)}.`
      : `From ${iso(at)} to ${iso(until.at)}, where the contract ends: times ${ratioText(ratio)}.`,
    ...(earlier.isZero() ? [] : [`Earlier credits gave back ${text(earlier)} of it; no more than the rest can follow.`]),
    ...roundedCredit(derivation, line.currency, given),
    taxSentence(tax, line),
  ];
}

function roundedCredit({ ratio, rounding, partBefore }: CreditDerivation, currency: Amounts['currency'], given: string): string[] {
  const all = moneyText(rounding.exactNet, currency);
  const own = moneyText(dec(all).plus(partBefore?.net ?? '0'), currency);
  const before = partBefore && `With the ${partBefore.part} / ${ratio.whole} before it: times ${ratioText(withBefore(ratio, partBefore))}.`;
  const less = partBefore === undefined ? '' : `, less -${partBefore.net} for the time before: ${own}`;
  const left = dec(own).eq(given) ? '' : `, of which ${given} was left`;
  return [
    ...(before === undefined ? [] : [before]),
    `Rounded once to ${rounding.digits} digits, half away from zero: ${rounding.exactNet} to ${all}${less}${left}.`,
  ];
}

/** How a correction came about. */
export function correctionSentences(derivation: CorrectionDerivation, line: Amounts): string[] {
  const { period, units, steps, price, free, freePart, charged, left, rounding, tax } = derivation;
  return [
    `Usage period ${period.idx} was corrected to ${units} units.`,
    ...periodSentence(period),
    `Price version ${price.version}.`,
    ...steps.map(stepSentence),
    ...(free ? ['This period is free: the amount is zero.'] : freeSentence(freePart)),
    `Rounded once to ${rounding.digits} digits, half away from zero: ${rounding.exactSubtotal} to ${moneyText(rounding.exactSubtotal, line.currency)}.`,
    ...(left ? [`Of what was charged ${left.totalExcludingTax} and ${left.taxAmount} tax are left: ${ofLeft(left)}.`] : []),
    `Less ${charged}, which was charged for the period: ${line.subtotal}.`,
    taxSentence(tax, line),
  ];
}

/** How a line of difference came about. */
export function differenceSentences({ period, compared, source, tax }: DifferenceDerivation, line: Amounts): string[] {
  return [
    ...periodSentence(period),
    'The full prices of a cycle, after discount and free cycles, are compared:',
    ...compared.map(
      ({ name, before, after }) => `"${name}" ${priceText(before, line.currency)} before, ${priceText(after, line.currency)} after.`,
    ),
    compared.length === 1
      ? `The difference is charged: ${line.subtotal}.`
      : `What all of them rise together falls on those that rise, in proportion: ${line.subtotal} on this line (${source}).`,
    taxSentence(tax, line),
  ];
}

function priceText(charge: PriceCompared['before'], currency: Amounts['currency']): string {
  return moneyText(charge?.rounding.exactNet ?? '0', currency);
}

const RULE_SOURCES: Record<FollowedRule['from'], string> = {
  contract: 'The contract’s own rule',
  plan: 'The plan’s rule',
  vendor: 'The vendor’s rule',
  default: 'The default rule',
};

const DIRECTIONS: Record<FollowedRule['direction'], string> = {
  upgrade: 'upgrades',
  downgrade: 'downgrades',
  units_up: 'more units',
  units_down: 'fewer units',
};

/** The rule of the change that made a line. */
export function ruleSentence(rule: FollowedRule | undefined): string[] {
  if (rule === undefined) return [];
  const { direction, from, proration, collect, credit } = rule;
  return [
    `${RULE_SOURCES[from]} for ${DIRECTIONS[direction]} was followed: proration "${proration}", collect "${collect}", credit "${credit}".`,
  ];
}

/** How a closing line came about. */
export function walletSentences(_: WalletDerivation, line: Amounts): string[] {
  return [
    `The other lines come to -${line.totalIncludingTax}.`,
    `${line.totalIncludingTax} goes to the wallet, so that the invoice comes to zero. No tax.`,
  ];
}

/** How the line of bought credits came about. */
export function purchaseSentences({ credits, price }: PurchaseDerivation): string[] {
  return [`Credits of ${credits} for ${price}. No tax: what they pay bears its own.`];
}

function periodSentence(period: PeriodStep | null): string[] {
  if (period === null) return [];
  return [period.end === null ? `From ${iso(period.start)} on.` : `For ${iso(period.start)} to ${iso(period.end)}.`];
}

function ratioText({ part, whole, shown }: RatioStep): string {
  return `${part} / ${whole} (${shown})`;
}

function timesText({ part, whole }: { part: number; whole: number }): string {
  return part === whole ? '' : ` × ${part} / ${whole}`;
}

function stepSentence(step: PriceStep): string {
  switch (step.step) {
    case 'flat':
      return `Flat amount: ${step.amount}.`;
    case 'units':
      return `Units: ${step.units}.`;
    case 'began':
      return `${step.before} were counted in the billing period before: ${step.units} in all.`;
    case 'batch':
      return `Rounded up to batches of ${step.batchSize}: ${step.units}.`;
    case 'minimum':
      return `At least ${step.minimum}${timesText(step.ratio)}: ${step.units}.`;
    case 'part_minimum':
      return `The part costs at least its share of ${step.minimum}${timesText(step.ratio)}: ${step.units}.`;
    case 'maximum':
      return `Split at the maximum of ${step.maximum}: ${step.within} within, ${step.above} above.`;
    case 'charge':
      return `${step.units} units at ${step.unitPrice}${step.kind === 'over_usage' ? ' (over-usage)' : ''}: ${step.amount}.`;
    case 'fee':
      return `Flat fee ${step.fee}${timesText(step.ratio)}${chargedText(step.before)}: ${step.amount}.`;
    case 'pro_rate':
      return `Pro-rated${timesText(step.ratio)}: ${step.amount}.`;
  }
}

function chargedText(before = '0'): string {
  return before === '0' ? '' : `, less ${before} charged in the billing period before`;
}

function discountSentence(discount: DiscountStep | null, { currency, discountAmount }: Amounts): string[] {
  if (discount === null) return [];
  const { name, type, amount, share, part } = discount;
  const of = part === undefined ? '' : ` for ${shareText(part)} of the cycle`;
  if (type === 'percentage') return [`Discount "${name}", ${amount} %${of}: ${discountAmount} off.`];
  return [
    `Discount "${name}", ${moneyText(amount, currency)}, of which ${moneyText(share ?? '0', currency)} a full cycle fall on this line: ${discountAmount} off.`,
  ];
}

function taxSentence({ policy, rate, note }: TaxStep, { totalExcludingTax, taxAmount, totalIncludingTax }: Amounts): string {
  if (note !== null) return note;
  if (rate === null) return 'No tax rate applies.';
  const percent = `${text(dec(rate).times(100))} %`;
  return policy === 'tax_included'
    ? `Tax ${percent} is included: ${taxAmount} of ${totalIncludingTax}.`
    : `Tax ${percent} on top of ${totalExcludingTax}: ${taxAmount}.`;
}
