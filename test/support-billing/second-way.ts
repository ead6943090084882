/**
 * The rules of money once more, from the texts of the rules and nothing of `billing/`: whole-number fractions instead
 * of decimals, units laid over tiers instead of steps. Slow and plain, so that two different mistakes would be needed
 * for both ways to be wrong alike.
 */
export type Share = readonly [part: bigint, whole: bigint];

export const NONE: Share = [0n, 1n];
export const ALL: Share = [1n, 1n];

export const add = ([a, b]: Share, [c, d]: Share): Share => [a * d + c * b, b * d];
export const shareTimes = ([a, b]: Share, [c, d]: Share): Share => [a * c, b * d];
export const less = (a: Share, [c, d]: Share): Share => add(a, [-c, d]);
const below = ([a, b]: Share, [c, d]: Share): boolean => a * d < c * b;
const least = (a: Share, b: Share): Share => (below(b, a) ? b : a);
const most = (a: Share, b: Share): Share => (below(a, b) ? b : a);
export const total = (parts: readonly Share[]): Share => parts.reduce(add, NONE);
export const shareOf = (part: number, whole: number): Share => [BigInt(part), BigInt(whole)];

/** The number a decimal text stands for. */
export function num(text: string): Share {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const size: Share = [BigInt(`${whole}${decimals}`), 10n ** BigInt(decimals.length)];
  return text.startsWith('-') ? [-size[0], size[1]] : size;
}

/** Whole cents, a half goes away from zero. */
export function cents([part, whole]: Share): bigint {
  const size = part < 0n ? -part : part;
  const [full, rest] = [(size * 100n) / whole, (size * 100n) % whole];
  const rounded = full + (rest * 2n >= whole ? 1n : 0n);
  return part < 0n ? -rounded : rounded;
}

const ofCents = (amount: bigint): Share => [amount, 100n];

export function shownMoney(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

interface Tier {
  upTo: string | null;
  unitPrice: string;
  flatFee: string | null;
}

/** A price as the catalogue has it; only what each kind needs is looked at. */
export interface Sold {
  amount: string;
  strategy: {
    kind: string;
    batchSize?: number | null;
    minimumUnits?: string | null;
    maximumUnits?: string | null;
    flatFee?: string | null;
    overUsagePrice?: string | null;
    overUsageChargeStrategy?: string;
    tierMode?: string;
    tiers?: Tier[];
  };
}

const isUsage = ({ strategy }: Sold): boolean => strategy.kind.startsWith('usage');

function inBatches([part, whole]: Share, batch: number | null | undefined): Share {
  if (batch == null) return [part, whole];
  const size = whole * BigInt(batch);
  return [((part + size - 1n) / size) * BigInt(batch), 1n];
}

/**
 * Where the part of a billing period after a change begins: units counted before, tier fees charged before (null: by no
 * usage price).
 */
export interface PartStart {
  units: string;
  tierFees: string | null;
}

/**
 * The first `units` units laid over the tiers: each tier gets what lies between its ends (graduated), or the one that
 * `all` falls into gets them (volume).
 */
function overTiers(tiers: readonly Tier[], mode: string | undefined, units: Share, all: Share): Share {
  if (mode === 'volume') return shareTimes(units, num(standing(tiers, all).unitPrice));
  return total(
    tiers.map(({ upTo, unitPrice }, index) => {
      const within = most(NONE, less(upTo === null ? units : least(units, num(upTo)), bottom(tiers, index)));
      return shareTimes(within, num(unitPrice));
    }),
  );
}

const bottom = (tiers: readonly Tier[], index: number): Share => (index === 0 ? NONE : num(tiers[index - 1]?.upTo ?? '0'));
const standing = (tiers: readonly Tier[], units: Share): Tier =>
  tiers.find(({ upTo }) => upTo === null || !below(num(upTo), units)) ?? { upTo: null, unitPrice: '0', flatFee: null };

/**
 * Tier fees once and whole: graduated where the count first rises into the tier, volume what exceeds those of before.
 */
function tierFeesOf({ strategy }: Sold, from: Share, to: Share, start: PartStart | null): Share {
  const { tiers = [], tierMode } = strategy;
  const charged = start?.tierFees ?? null;
  if (tierMode === 'volume') return most(NONE, less(num(standing(tiers, to).flatFee ?? '0'), num(charged ?? '0')));
  const isNew = (index: number): boolean =>
    index === 0 ? charged === null : below(bottom(tiers, index), to) && !below(bottom(tiers, index), from);
  return total(tiers.map(({ flatFee }, index) => (isNew(index) ? num(flatFee ?? '0') : NONE)));
}

/** What the first `units` units cost when there are `all` of them in the end, without any fee. */
function unitsOf({ amount, strategy }: Sold, units: Share, all: Share): Share {
  const { kind, maximumUnits, overUsagePrice, overUsageChargeStrategy, tierMode, tiers = [] } = strategy;
  if (kind === 'usage_tiered') return overTiers(tiers, tierMode, units, all);
  const [price, above] = [num(amount), num(overUsagePrice ?? amount)];
  if (maximumUnits == null) return shareTimes(units, price);
  const isDear = below(num(maximumUnits), all) && overUsageChargeStrategy === 'all_usage_overcharge';
  const dear = isDear ? units : most(NONE, less(units, num(maximumUnits)));
  return add(shareTimes(less(units, dear), price), shareTimes(dear, above));
}

/**
 * A usage price over a part of a billing period that a change may have divided before it: what this part owes in tier
 * fees, and in all.
 */
export function usageAmountOf(sold: Sold, units: string, part: Share, start: PartStart | null): { tierFees: Share; amount: Share } {
  const { batchSize, minimumUnits, flatFee } = sold.strategy;
  const least = shareTimes(num(minimumUnits ?? '0'), part);
  const from = inBatches(num(start?.units ?? '0'), batchSize);
  const counted = inBatches(add(num(start?.units ?? '0'), num(units)), batchSize);
  const to = start === null ? most(counted, least) : counted;
  const used = less(unitsOf(sold, to, to), unitsOf(sold, from, to));
  const charged = start === null ? used : most(used, unitsOf(sold, least, least));
  const isNothing = part[0] === 0n && num(units)[0] === 0n;
  const tierFees = isNothing || sold.strategy.kind === 'usage' ? NONE : tierFeesOf(sold, from, to, start);
  return { tierFees, amount: total([charged, tierFees, shareTimes(num(flatFee ?? '0'), part)]) };
}

/**
 * What a price comes to for units over a part of its period: units → batch → minimum → maximum → fee; flat, per unit
 * and unit tiered prices are pro-rated as a whole, usage in its minimum and its own fee.
 */
export function soldAmount(sold: Sold, units: string, part: Share, start: PartStart | null = null): Share {
  const { kind, batchSize, flatFee, tierMode, tiers = [] } = sold.strategy;
  if (isUsage(sold)) return usageAmountOf(sold, units, part, start).amount;
  if (kind === 'flat') return shareTimes(num(sold.amount), part);
  const [batched, fee] = [inBatches(num(units), batchSize), num(flatFee ?? '0')];
  if (kind === 'per_unit') return shareTimes(add(shareTimes(batched, num(sold.amount)), fee), part);
  return shareTimes(total([overTiers(tiers, tierMode, batched, batched), tierFeesOf(sold, NONE, batched, null), fee]), part);
}

export interface Off {
  type: string;
  amount: string;
  /** of a percentage that holds for a part of the cycle: what it takes of a whole price */
  share?: Share;
}

export interface Levy {
  included: boolean;
  rate: string | null;
}

export interface Item {
  sold: Sold;
  units: string;
  part: Share;
  discountable: boolean;
  free: boolean;
  /** the part of the cycle that is free */
  freeShare?: Share;
  /** where a usage item begins after a change inside its billing period */
  start?: PartStart | null;
}

export interface Amounts {
  subtotal: string;
  discountAmount: string;
  totalExcludingTax: string;
  taxAmount: string;
  totalIncludingTax: string;
}

/** Whole cents to each in proportion, the cents left over to the largest remainders, the earlier of equals. */
export function spread(amount: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (amount === 0n || sum === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (amount * weight) / sum);
  const left = Number(amount - parts.reduce((a, b) => a + b, 0n));
  const order = weights.map((weight, index) => ({ index, rest: (amount * weight) % sum }));
  order.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  for (const { index } of order.slice(0, left)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

/**
 * All amounts of the lines of one step: discount off the recurring ones before pro-rating, one rounding each, tax of
 * each.
 */
export function linesOf(items: readonly Item[], off: Off | null, levy: Levy): Amounts[] {
  const full = items.map((item) =>
    item.free
      ? NONE
      : shareTimes(
          soldAmount(item.sold, item.units, isUsage(item.sold) ? item.part : ALL, item.start ?? null),
          less(ALL, item.freeShare ?? NONE),
        ),
  );
  const offs = discountsOf(items, full, off);
  return items.map((item, index) => {
    const part = isUsage(item.sold) ? ALL : item.part;
    const price = full[index] ?? NONE;
    return amounts(cents(shareTimes(price, part)), cents(shareTimes(less(price, offs[index] ?? NONE), part)), levy);
  });
}

function discountsOf(items: readonly Item[], full: readonly Share[], off: Off | null): Share[] {
  if (off === null) return full.map(() => NONE);
  const weights = items.map((item, index) => (item.discountable && !item.free && !isUsage(item.sold) ? (full[index] ?? NONE) : NONE));
  const { share } = off;
  if (share !== undefined) return weights.map((price) => shareTimes(price, share));
  if (off.type === 'percentage') return weights.map((price) => shareTimes(price, least(shareTimes(num(off.amount), [1n, 100n]), ALL)));
  const costs = weights.map(cents);
  const sum = costs.reduce((a, b) => a + b, 0n);
  return spread(cents(least(num(off.amount), ofCents(sum))), costs).map((part, index) => least(ofCents(part), weights[index] ?? NONE));
}

/** `net` is what is left after the discount: with the tax in it, or without. */
export function amounts(subtotal: bigint, net: bigint, levy: Levy): Amounts {
  const tax = taxIn(net, levy);
  return {
    subtotal: shownMoney(subtotal),
    discountAmount: shownMoney(subtotal - net),
    totalExcludingTax: shownMoney(levy.included ? net - tax : net),
    taxAmount: shownMoney(tax),
    totalIncludingTax: shownMoney(levy.included ? net : net + tax),
  };
}

function taxIn(net: bigint, { included, rate }: Levy): bigint {
  const [part, whole] = num(rate ?? '0');
  return cents(shareTimes(ofCents(net), included ? [part, part + whole] : [part, whole]));
}

/** What is given back of a line for a part of its span, the first time anything is. */
export function givenBack(line: Amounts, part: Share, levy: Levy): Amounts {
  const [subtotal, excluding, tax, including] = [line.subtotal, line.totalExcludingTax, line.taxAmount, line.totalIncludingTax].map((one) =>
    cents(num(one)),
  ) as [bigint, bigint, bigint, bigint];
  const whole = levy.included ? including : excluding;
  const base = cents(shareTimes(ofCents(whole), part));
  const before = cents(shareTimes(ofCents(subtotal), part));
  // all of it comes back as it was charged, and never more tax than was charged
  const back = base === whole ? tax : cents(least(ofCents(taxIn(base, levy)), ofCents(tax)));
  return {
    subtotal: shownMoney(-before),
    discountAmount: shownMoney(base - before),
    totalExcludingTax: shownMoney(levy.included ? back - base : -base),
    taxAmount: shownMoney(-back),
    totalIncludingTax: shownMoney(levy.included ? -base : -(base + back)),
  };
}

/** How many cycles a year has. */
const IN_A_YEAR: Record<string, Share> = { day: [365n, 1n], week: [365n, 7n], month: [12n, 1n], quarter: [4n, 1n], year: [1n, 1n] };

/** Cycles of one length as cycles of another, by the year that holds them. */
export function asCycles(cycles: Share, from: string, to: string): Share {
  const [inA, inB] = [IN_A_YEAR[from] ?? ALL, IN_A_YEAR[to] ?? ALL];
  return shareTimes(shareTimes(cycles, [inA[1], inA[0]]), inB);
}

/**
 * What is left of a number of cycles when the n-th is cut and `unused` of it lies ahead: that share where the n-th is
 * one of them, and the whole ones.
 */
export function cyclesLeft(cycles: number, n: number, unused: Share): Share {
  return n > cycles ? NONE : add(unused, [BigInt(cycles - n), 1n]);
}

/** How much of the n-th cycle a number of cycles covers. */
export function coveredIn(cycles: Share, n: number): Share {
  return most(NONE, least(ALL, less(cycles, [BigInt(n - 1), 1n])));
}

/**
 * What a discount of which `left` cycles were taken over takes off the n-th: a percentage its share, of a flat one
 * (`value` a whole cycle) cents that add up.
 */
export function offIn(off: Off, left: Share, value: Share, n: number): Off | null {
  const covered = coveredIn(left, n);
  if (!below(NONE, covered)) return null;
  if (off.type === 'percentage')
    return { type: 'share', amount: off.amount, share: shareTimes(num(off.amount), shareTimes(covered, [1n, 100n])) };
  const upTo = (m: number): bigint => cents(shareTimes(value, least(left, [BigInt(m), 1n])));
  return { type: 'flat', amount: shownMoney(upTo(n) - upTo(n - 1)) };
}
