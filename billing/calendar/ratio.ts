import { type Decimal, dec, ONE, text } from '../money/decimal.ts';
import { fail } from '../problem.ts';

/**
 * A share as an exact fraction of whole numbers, mostly milliseconds. It is never rounded; only the line computed with
 * it is.
 */
export interface Ratio {
  part: number;
  whole: number;
}

/** The whole of something. */
export const FULL: Ratio = { part: 1, whole: 1 };
/** Nothing of something. */
export const NOTHING: Ratio = { part: 0, whole: 1 };

const SHOWN_DIGITS = 12;

/** A ratio as decimals, both moved by as many digits as `whole` has zeros at its end. */
interface Prepared extends Ratio {
  times: Decimal;
  by: Decimal;
  /** how it is shown, once it was asked for */
  shown?: string;
}

// The lines of a contract share their ratio, so the last one is kept. Its whole is mostly the milliseconds of some
// days, which end in zeros: without them the divisor is short, and the library divides faster, to the same digits.
let prepared: Prepared = { ...FULL, times: ONE, by: ONE };

function preparedFor({ part, whole }: Ratio): Prepared {
  if (!(whole > 0)) return fail('ratio', 'empty_whole', 'give a whole above zero');
  if (prepared.part === part && prepared.whole === whole) return prepared;
  let zeros = 0;
  let by = whole;
  for (; by % 10 === 0; by /= 10) zeros += 1;
  prepared = { part, whole, times: dec(part).times(dec(`1e-${zeros}`)), by: dec(by) };
  return prepared;
}

/** Whether a ratio is exactly one. */
export function isFull(ratio: Ratio): boolean {
  return ratio.part === ratio.whole;
}

/**
 * An amount times a ratio. It multiplies first and divides once, so that every result with a finite number of digits is
 * exact.
 *
 * @throws BillingError `empty_whole` when the whole is not above zero
 * @example share(dec('599.95'), { part: 29, whole: 31 }).toFixed(4) // '561.2435'
 */
export function share(amount: Decimal, ratio: Ratio): Decimal {
  if (ratio.whole > 0 && isFull(ratio)) return amount;
  const { times, by } = preparedFor(ratio);
  return amount.times(times).div(by);
}

/**
 * A ratio as a decimal, to 80 digits. To scale an amount use `share`, which divides last.
 *
 * @throws BillingError `empty_whole`
 * @example ratioDecimal({ part: 1, whole: 4 }) // '0.25'
 */
export function ratioDecimal(ratio: Ratio): Decimal {
  return share(dec(1), ratio);
}

/**
 * A ratio as shown: plain, to 12 places.
 *
 * @throws BillingError `empty_whole`
 * @example ratioText({ part: 16, whole: 31 }) // '0.516129032258'
 */
export function ratioText(ratio: Ratio): string {
  if (isFull(ratio)) return text(ratioDecimal(ratio));
  const found = preparedFor(ratio);
  found.shown ??= text(ratioDecimal(ratio).toDecimalPlaces(SHOWN_DIGITS));
  return found.shown;
}
