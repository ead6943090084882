import { type Cycle, isPeriodic, perYear } from '../../calendar/cycle.ts';
import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { LARGEST_COUNT } from '../../largest-count.ts';
import {
  asText,
  type Fraction,
  type FractionText,
  fraction,
  fractionMoney,
  fractionOf,
  isBelow,
  largerFraction,
  minus,
  plus,
  smallerFraction,
  times,
  ZERO_FRACTION,
} from '../../money/fraction.ts';
import type { Contract, ContractDiscount } from '../types.ts';
import { hasRunOut } from './discount-end.ts';
import { type Source, sourcesOf } from './sources.ts';
import { chainCycle, periodBounds, periodShare } from './time.ts';

/**
 * What was left of free and discount cycles when the length of a chain's cycles changed, as exact numbers of cycles of
 * the new length. The first of them is chain cycle `after + 1`.
 */
export interface CyclesLeft {
  after: number;
  free: FractionText;
  /** of prices' own free cycles, by source; null where no cycle had begun: prices then count their own */
  prices: Record<string, FractionText> | null;
  /** of the discount with that id; `value` = what a flat one takes off a whole cycle of the new length */
  discount: { id: string; left: FractionText; value: FractionText | null } | null;
}

/** What of a cycle is free: nothing, all, or `freePart` of it. */
export interface Freedom {
  free: boolean;
  freePart?: FractionText;
}

/** A discount in one cycle; `part` = the share of the cycle that it applies to, absent = all of it. */
export type DiscountInCycle = ContractDiscount & { part?: FractionText };

const ONE: Fraction = { num: 1n, den: 1n };
const whole = (count: number): Fraction => ({ num: BigInt(count), den: 1n });

/**
 * How much of a price is free in a billing period: free cycles of the contract make recurring charges free, those of a
 * price make that price free.
 */
export function freedomIn(
  contract: Contract,
  idx: number,
  { source, price }: Pick<Source, 'source' | 'price'>,
  recurring: boolean,
): Freedom {
  const cycle = chainCycle(contract, Math.max(idx, 1));
  const { cyclesLeft } = contract;
  // counted in whole cycles, none is free in part
  if (cyclesLeft === null) return { free: cycle <= Math.max(price.freeCycles, recurring ? contract.freeCycles : 0) };
  const own = freeOfPrice(cyclesLeft, source, price.freeCycles);
  const shares = [shareOf(own, cycle), ...(recurring ? [shareOf(freeOfContract(contract), cycle)] : [])];
  const share = shares.reduce(largerFraction);
  if (!isBelow(share, ONE)) return { free: true };
  return isBelow(ZERO_FRACTION, share) ? { free: false, freePart: asText(share) } : { free: false };
}

/** A number of cycles, counted from chain cycle `after + 1`. */
interface Counted {
  after: number;
  left: Fraction;
}

function freeOfContract({ cyclesLeft, freeCycles }: Contract): Counted {
  return cyclesLeft === null ? { after: 0, left: whole(freeCycles) } : { after: cyclesLeft.after, left: fractionOf(cyclesLeft.free) };
}

function freeOfPrice(cyclesLeft: CyclesLeft | null, source: string, freeCycles: number): Counted {
  if (cyclesLeft === null || cyclesLeft.prices === null) return { after: 0, left: whole(freeCycles) };
  const left = cyclesLeft.prices[source];
  return { after: cyclesLeft.after, left: left === undefined ? ZERO_FRACTION : fractionOf(left) };
}

/** The share of a chain cycle that a number of cycles covers. */
function shareOf({ after, left }: Counted, cycle: number): Fraction {
  return largerFraction(ZERO_FRACTION, smallerFraction(ONE, minus(left, whole(cycle - after - 1))));
}

/**
 * The discount, where it applies to a billing period: to chain cycles `cyclesBefore + 1 … cyclesBefore + duration`, or
 * what was left of them as time when the length of the cycle changed. A flat one has the amount of that period. One
 * that freezes don't move applies to those of these cycles that begin before its end.
 *
 * @example
 * const contract = { ...signs('2025-01-01', plan('pro')).contract(), discount: discountOf('flat', '5.00') };
 * discountIn(contract, 3, [])?.amount // '5.00'
 * discountIn(contract, 4, []) // null
 */
export function discountIn(contract: Contract, idx: number, pauses: Pause[]): DiscountInCycle | null {
  const { discount } = contract;
  if (discount === null || hasRunOut(contract, discount, idx, pauses)) return null;
  const cycle = chainCycle(contract, idx);
  const transferred = contract.cyclesLeft?.discount;
  if (transferred?.id === discount.id) return remainingIn(discount, transferred, cycle - (contract.cyclesLeft?.after ?? 0));
  const own = cycle - discount.cyclesBefore;
  return own >= 1 && own <= discount.duration ? discount : null;
}

function remainingIn(
  discount: ContractDiscount,
  { left: text, value }: NonNullable<CyclesLeft['discount']>,
  k: number,
): DiscountInCycle | null {
  const left = fractionOf(text);
  const share = shareOf({ after: 0, left }, k);
  if (!isBelow(ZERO_FRACTION, share)) return null;
  if (value === null || discount.currency === null) return isBelow(share, ONE) ? { ...discount, part: asText(share) } : discount;
  // what all cycles up to this one take off, less what those before took off, so that the cents sum to the value
  const currency = discount.currency;
  const upTo = (n: number): Fraction => fraction(fractionMoney(times(fractionOf(value), smallerFraction(left, whole(n))), currency));
  return { ...discount, amount: fractionMoney(minus(upTo(k), upTo(k - 1)), currency) };
}

/** The free and discount cycles that a successor takes over. */
export type TransferredCycles = Pick<Contract, 'cyclesLeft' | 'freeCycles' | 'discount'>;

/**
 * What a successor with cycles of another length takes over: the unused share of the current free or discount cycle and
 * the whole ones that are left, as time. The value of a flat discount stays. `once` and `constant` have no length, so
 * no time is taken over from or to them.
 *
 * @param discount the successor's; one that is given with the change counts its own cycles
 * @param boundary the change is at the end of the current period
 * @example
 * const old = signs('2025-01-01', plan('pro', { price: '100', freeCycles: 3 })).contract();
 * const next = { terms: { ...old.terms, cycle: 'year' }, discount: null };
 * transferredCycles(old, next, at('2025-02-01'), true, []).cyclesLeft.free // { num: '1', den: '6' }
 */
export function transferredCycles(
  old: Contract,
  { terms, discount }: Pick<Contract, 'terms' | 'discount'>,
  at: Instant,
  boundary: boolean,
  pauses: Pause[],
): TransferredCycles {
  const { cycle } = terms;
  if (cycle === old.terms.cycle) return { cyclesLeft: old.cyclesLeft, freeCycles: old.freeCycles, discount };
  const after = old.cyclesBefore + (old.currentIdx ?? 0);
  const unused = boundary ? ZERO_FRACTION : unusedShare(old, at, pauses);
  const factor = lengthsIn(old.terms.cycle, cycle);
  // of what has no length nothing is used before it begins
  if (old.start === null && !isPeriodic(old.terms.cycle)) return { cyclesLeft: old.cyclesLeft, freeCycles: old.freeCycles, discount };
  const convert = (counted: Counted): Fraction => times(leftOf(counted, after, unused), factor ?? ZERO_FRACTION);
  const free = convert(freeOfContract(old));
  const cyclesLeft: CyclesLeft = {
    after,
    free: asText(free),
    prices: old.start === null ? null : pricesLeft(old, convert),
    discount: discount !== null && discount.id === old.discount?.id ? discountLeft(old, discount, cycle, { after, unused, factor }) : null,
  };
  const left = cyclesLeft.discount;
  const shown = discount && left ? { ...discount, cyclesBefore: after, duration: ceiling(fractionOf(left.left)) } : discount;
  return { cyclesLeft, freeCycles: shownOf(free.num / free.den), discount: shown };
}

function pricesLeft(old: Contract, convert: (counted: Counted) => Fraction): Record<string, FractionText> {
  const left = sourcesOf(old.terms).map(
    ({ source, price }) => [source, convert(freeOfPrice(old.cyclesLeft, source, price.freeCycles))] as const,
  );
  return Object.fromEntries(left.filter(([, one]) => isBelow(ZERO_FRACTION, one)).map(([source, one]) => [source, asText(one)]));
}

function discountLeft(
  old: Contract,
  discount: ContractDiscount,
  cycle: Cycle,
  { after, unused, factor }: { after: number; unused: Fraction; factor: Fraction | null },
): NonNullable<CyclesLeft['discount']> {
  const transferred = old.cyclesLeft?.discount?.id === discount.id ? old.cyclesLeft.discount : null;
  const counted = transferred
    ? { after: old.cyclesLeft?.after ?? 0, left: fractionOf(transferred.left) }
    : { after: discount.cyclesBefore, left: whole(discount.duration) };
  const left = leftOf(counted, after, unused);
  const value = discount.type === 'flat' ? (transferred?.value ? fractionOf(transferred.value) : fraction(discount.amount)) : null;
  if (factor === null) {
    const isOnePayment = value !== null && isPeriodic(old.terms.cycle) && !isPeriodic(cycle);
    return { id: discount.id, left: asText(isOnePayment ? ONE : ZERO_FRACTION), value: value && asText(times(value, left)) };
  }
  return { id: discount.id, left: asText(times(left, factor)), value: value && asText(times(value, { num: factor.den, den: factor.num })) };
}

/** How many cycles of the new length are as long as one of the old; null where one of them has no length. */
function lengthsIn(old: Cycle, next: Cycle): Fraction | null {
  if (!isPeriodic(old) || !isPeriodic(next)) return null;
  const [a, b] = [perYear(next), perYear(old)];
  return times({ num: BigInt(a.part), den: BigInt(a.whole) }, { num: BigInt(b.whole), den: BigInt(b.part) });
}

/** Whole cycles after the current one, plus the unused share of the current one. */
function leftOf(counted: Counted, after: number, unused: Fraction): Fraction {
  const ahead = largerFraction(ZERO_FRACTION, minus(counted.left, whole(Math.max(0, after - counted.after))));
  return plus(ahead, times(shareOf(counted, after), unused));
}

function unusedShare(old: Contract, at: Instant, pauses: Pause[]): Fraction {
  if (old.currentIdx === null || !isPeriodic(old.terms.cycle)) return ZERO_FRACTION;
  const { end } = periodBounds(old, old.currentIdx, pauses);
  const { part, whole: all } = periodShare(old, old.currentIdx, at, end, pauses);
  return { num: BigInt(part), den: BigInt(all) };
}

/** A number of cycles as it is shown; shorter cycles may be more than can be counted. */
const shownOf = (cycles: bigint): number => Math.min(Number(cycles), LARGEST_COUNT);

const ceiling = ({ num, den }: Fraction): number => shownOf((num + den - 1n) / den);
