import type { LineAmounts } from '../invoice/line.ts';
import type { Currency } from '../money/currency.ts';
import {
  type Fraction,
  type FractionText,
  fraction,
  fractionMoney,
  fractionOf,
  isBelow,
  minus,
  plus,
  times,
  ZERO_FRACTION,
} from '../money/fraction.ts';
import { recomputeExact } from '../pricing/recompute.ts';
import type {
  BilledStep,
  ChargeDerivation,
  CorrectionDerivation,
  CreditDerivation,
  DifferenceDerivation,
  DiscountStep,
  LineDerivation,
  PriceCompared,
  PurchaseDerivation,
  TaxStep,
  WalletDerivation,
} from './derivation.ts';
import { divided } from './divide.ts';

/**
 * All amounts of a line computed again from its derivation alone, in whole-number fractions instead of decimals, to
 * check the first computation. Results that a derivation shows (ratios as decimals, unrounded amounts) are not used.
 *
 * @example
 * const [line] = chargeLines([charge(price('599.95'), { ratio: { part: 29, whole: 31 } })], context());
 * recomputeLine(line.derivation).subtotal // '561.24'
 */
export function recomputeLine(derivation: LineDerivation): LineAmounts {
  switch (derivation.type) {
    case 'charge':
      return recomputeCharge(derivation);
    case 'credit':
      return recomputeCredit(derivation);
    case 'correction':
      return recomputeCorrection(derivation);
    case 'difference':
      return recomputeDifference(derivation);
    case 'wallet':
      return recomputeWallet(derivation);
    case 'purchase':
      return recomputePurchase(derivation);
  }
}

function recomputeCharge({ continues, ...charge }: ChargeDerivation): LineAmounts {
  return continues === undefined ? recomputeOwn(charge) : negativeSum(continues.map(recomputeCredit), charge.currency);
}

function negativeSum(credits: readonly LineAmounts[], currency: Currency): LineAmounts {
  const negated = (field: keyof LineAmounts): string =>
    fractionMoney(credits.map((one) => fraction(one[field])).reduce(minus, ZERO_FRACTION), currency);
  return {
    subtotal: negated('subtotal'),
    discountAmount: negated('discountAmount'),
    totalExcludingTax: negated('totalExcludingTax'),
    taxAmount: negated('taxAmount'),
    totalIncludingTax: negated('totalIncludingTax'),
  };
}

function recomputeOwn(derivation: ChargeDerivation): LineAmounts {
  const { steps, free, freePart, ratio, ratioUse, discount, currency, tax, billed, partBefore } = derivation;
  const full = free ? ZERO_FRACTION : paidOf(recomputeExact(steps), freePart);
  const net = minus(full, offOf(discount, full));
  const upTo = (part: number): LineAmounts => {
    const lineRatio = ratioUse === 'line' ? { num: BigInt(part), den: BigInt(ratio.whole) } : ONE;
    return amounts(rounded(times(full, lineRatio), currency), rounded(times(net, lineRatio), currency), tax, currency);
  };
  const all = upTo(ratio.part + (partBefore?.part ?? 0));
  if (billed !== undefined) return recomputePart(fraction(all.subtotal), billed, tax, currency);
  return partBefore === undefined ? all : lessBefore(all, upTo(partBefore.part), currency);
}

/** What a part adds to those before it. */
function lessBefore(all: LineAmounts, before: LineAmounts, currency: Currency): LineAmounts {
  const own = (field: keyof LineAmounts): string => fractionMoney(minus(fraction(all[field]), fraction(before[field])), currency);
  return {
    subtotal: own('subtotal'),
    discountAmount: own('discountAmount'),
    totalExcludingTax: own('totalExcludingTax'),
    taxAmount: own('taxAmount'),
    totalIncludingTax: own('totalIncludingTax'),
  };
}

/**
 * The rest of usage of which a part was charged before. Its tax is the tax of all lines together, less the tax of the
 * earlier ones.
 */
function recomputePart(whole: Fraction, { subtotal, taxed, left }: BilledStep, tax: TaxStep, currency: Currency): LineAmounts {
  const part = minus(whole, fraction(subtotal));
  if (left?.inProportion) return shareOf(left, part, fraction(subtotal), { tax, currency });
  const taxAmount = minus(taxOn(plus(part, fraction(taxed.subtotal)), tax, currency), fraction(taxed.taxAmount));
  const included = tax.policy === 'tax_included';
  const all = {
    subtotal: fractionMoney(part, currency),
    discountAmount: fractionMoney(ZERO_FRACTION, currency),
    totalExcludingTax: fractionMoney(included ? minus(part, taxAmount) : part, currency),
    taxAmount: fractionMoney(taxAmount, currency),
    totalIncludingTax: fractionMoney(included ? part : plus(part, taxAmount), currency),
  };
  return left === undefined ? all : within(all, left, tax, currency);
}

function paidOf(amount: Fraction, freePart: FractionText | undefined): Fraction {
  return freePart === undefined ? amount : times(amount, minus(ONE, fractionOf(freePart)));
}

function offOf(discount: DiscountStep | null, full: Fraction): Fraction {
  if (discount === null) return ZERO_FRACTION;
  if (discount.type === 'percentage') {
    const off = times(full, least(times(fraction(discount.amount), HUNDREDTH), ONE));
    return discount.part === undefined ? off : times(off, fractionOf(discount.part));
  }
  return least(fraction(discount.share ?? '0'), full);
}

function recomputeCredit({ line, credited, ratio, partBefore, tax, currency }: CreditDerivation): LineAmounts {
  const included = tax.policy === 'tax_included';
  const whole = fraction(included ? line.totalIncludingTax : line.totalExcludingTax);
  const before = partBefore?.part ?? 0;
  const upTo = (part: number, amount: Fraction): Fraction =>
    rounded(times(amount, { num: BigInt(part), den: BigInt(ratio.whole) }), currency);
  const shareOfIt = (amount: Fraction): Fraction => minus(upTo(before + ratio.part, amount), upTo(before, amount));
  const base = shareOfIt(whole);
  const taxOfBase = minus(taxOn(upTo(before + ratio.part, whole), tax, currency), taxOn(upTo(before, whole), tax, currency));
  const restExcluding = minus(fraction(line.totalExcludingTax), fraction(credited.excludingTax));
  const restTax = minus(fraction(line.taxAmount), fraction(credited.tax));

  const rest = included ? plus(restExcluding, restTax) : restExcluding;
  const isRest = !isBelow(base, rest);
  const given = isRest ? rest : base;
  const leastTax = least(taxOfBase, restTax);
  const givenExcluding = isRest ? restExcluding : included ? least(minus(base, leastTax), restExcluding) : base;
  const givenTax = isRest ? restTax : included ? minus(base, givenExcluding) : leastTax;
  const isShare = !isBelow(given, base) && !isBelow(base, given);
  const all = fraction(line.subtotal);
  const part = isShare ? shareOfIt(all) : rounded(times(all, over(given, whole)), currency);
  const left = minus(all, fraction(credited.subtotal ?? '0'));
  const subtotal = most(least(part, left), given);
  const negated = (value: Fraction): string => fractionMoney(minus(ZERO_FRACTION, value), currency);
  return {
    subtotal: negated(subtotal),
    discountAmount: negated(minus(subtotal, given)),
    totalExcludingTax: negated(givenExcluding),
    taxAmount: negated(givenTax),
    totalIncludingTax: negated(plus(givenExcluding, givenTax)),
  };
}

function recomputeCorrection({ steps, free, freePart, charged, left, tax, currency }: CorrectionDerivation): LineAmounts {
  const owed = free ? ZERO_FRACTION : paidOf(recomputeExact(steps), freePart);
  const difference = minus(rounded(owed, currency), fraction(charged));
  if (left?.inProportion) return shareOf(left, difference, fraction(charged), { tax, currency });
  const all = amounts(difference, difference, tax, currency);
  return left === undefined || !isBelow(difference, ZERO_FRACTION) ? all : within(all, left, tax, currency);
}

/** No more is given back than is left of what was charged. */
function within(all: LineAmounts, left: NonNullable<CorrectionDerivation['left']>, { policy }: TaxStep, currency: Currency): LineAmounts {
  const [excluding, taxed] = [all.totalExcludingTax, all.taxAmount].map((one) => minus(ZERO_FRACTION, fraction(one))) as [
    Fraction,
    Fraction,
  ];
  const [mostExcluding, mostTax] = [left.totalExcludingTax, left.taxAmount].map((one) => most(fraction(one), ZERO_FRACTION)) as [
    Fraction,
    Fraction,
  ];
  const isAll = !isBelow(excluding, mostExcluding);
  const [net, tax] = isAll ? [mostExcluding, mostTax] : [excluding, least(taxed, mostTax)];
  const base = policy === 'tax_included' ? plus(net, tax) : net;
  const text = (value: Fraction): string => fractionMoney(minus(ZERO_FRACTION, value), currency);
  return {
    subtotal: text(base),
    discountAmount: fractionMoney(ZERO_FRACTION, currency),
    totalExcludingTax: text(net),
    taxAmount: text(tax),
    totalIncludingTax: text(plus(net, tax)),
  };
}

/** The same share of what is left as `back` is of what was charged; `back` is negative. */
function shareOf(
  left: NonNullable<BilledStep['left']>,
  back: Fraction,
  charged: Fraction,
  { tax: { policy }, currency }: { tax: TaxStep; currency: Currency },
): LineAmounts {
  const [net, tax] = [left.totalExcludingTax, left.taxAmount].map((one) => most(fraction(one), ZERO_FRACTION)) as [Fraction, Fraction];
  const part = (amount: Fraction): Fraction => {
    const positive = over(times(amount, minus(ZERO_FRACTION, back)), charged);
    return minus(ZERO_FRACTION, rounded(positive, currency));
  };
  const taxAmount = part(tax);
  const included = policy === 'tax_included' ? part(plus(net, tax)) : plus(part(net), taxAmount);
  return {
    subtotal: fractionMoney(back, currency),
    discountAmount: fractionMoney(ZERO_FRACTION, currency),
    totalExcludingTax: fractionMoney(minus(included, taxAmount), currency),
    taxAmount: fractionMoney(taxAmount, currency),
    totalIncludingTax: fractionMoney(included, currency),
  };
}

function recomputeDifference({ compared, source, tax, currency }: DifferenceDerivation): LineAmounts {
  const priceOf = (charge: PriceCompared['before']): Fraction => {
    if (charge === null) return ZERO_FRACTION;
    const { totalIncludingTax, totalExcludingTax } = recomputeCharge(charge);
    return fraction(charge.tax.policy === 'tax_included' ? totalIncludingTax : totalExcludingTax);
  };
  const changes = compared.map(({ before, after }) => minus(priceOf(after), priceOf(before)));
  const rises = changes.map((change) => most(change, ZERO_FRACTION));
  const owed = most(changes.reduce(plus, ZERO_FRACTION), ZERO_FRACTION);
  const index = compared.findIndex((one) => one.source === source);
  const part = divided(owed, rises, currency)[index] ?? ZERO_FRACTION;
  return amounts(part, part, tax, currency);
}

function recomputeWallet({ lines, tax, currency }: WalletDerivation): LineAmounts {
  const surplus = lines.reduce((left, line) => minus(left, fraction(line.totalIncludingTax)), ZERO_FRACTION);
  return amounts(surplus, surplus, tax, currency);
}

function recomputePurchase({ price, tax, currency }: PurchaseDerivation): LineAmounts {
  return amounts(fraction(price), fraction(price), tax, currency);
}

const ONE: Fraction = { num: 1n, den: 1n };
const HUNDREDTH: Fraction = { num: 1n, den: 100n };

function amounts(subtotal: Fraction, net: Fraction, tax: TaxStep, currency: Currency): LineAmounts {
  const taxAmount = taxOn(net, tax, currency);
  const included = tax.policy === 'tax_included';
  return {
    subtotal: fractionMoney(subtotal, currency),
    discountAmount: fractionMoney(minus(subtotal, net), currency),
    totalExcludingTax: fractionMoney(included ? minus(net, taxAmount) : net, currency),
    taxAmount: fractionMoney(taxAmount, currency),
    totalIncludingTax: fractionMoney(included ? net : plus(net, taxAmount), currency),
  };
}

/** The share r/(1+r) of an amount that includes the tax, r of one that doesn't. */
function taxOn(amount: Fraction, { policy, rate }: TaxStep, currency: Currency): Fraction {
  const factor = fraction(rate ?? '0');
  const part = policy === 'tax_included' ? over(factor, plus(ONE, factor)) : factor;
  return rounded(times(amount, part), currency);
}

function rounded(amount: Fraction, currency: Currency): Fraction {
  return fraction(fractionMoney(amount, currency));
}

function most(a: Fraction, b: Fraction): Fraction {
  return isBelow(a, b) ? b : a;
}

function least(a: Fraction, b: Fraction): Fraction {
  return isBelow(b, a) ? b : a;
}

/** a ÷ b for b above zero. */
function over(a: Fraction, b: Fraction): Fraction {
  return { num: a.num * b.den, den: a.den * b.num };
}
