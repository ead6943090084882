import type { Instant } from '../calendar/instant.ts';
import type { Currency } from '../money/currency.ts';
import { dec, smaller } from '../money/decimal.ts';
import { moneyText } from '../money/round.ts';
import type { Grant } from './types.ts';

/** A usage period of a contract with a usage price: its time, and when it was closed. */
export interface UsageTime {
  from: Instant;
  /** null: open-ended */
  until: Instant | null;
  closedAt: Instant | null;
}

/**
 * When what is left of a grant expires: at the end of its life, or, if usage of that life is closed later, with the
 * last such closing, so that late usage is still paid.
 *
 * @returns null while the grant's life, or a usage period in it, is still open
 * @example
 * const grant = { effectiveAt: at('2025-01-01'), expiresAt: at('2025-02-01') };
 * const january = { from: at('2025-01-01'), until: at('2025-02-01'), closedAt: null };
 * expiresAt(grant, [january], at('2025-02-01')) // null
 * expiresAt(grant, [{ ...january, closedAt: at('2025-02-02') }], at('2025-02-02')) // at('2025-02-02')
 * expiresAt(grant, [], at('2025-02-05')) // at('2025-02-01')
 */
export function expiresAt(
  { effectiveAt, expiresAt: end }: Pick<Grant, 'effectiveAt' | 'expiresAt'>,
  periods: readonly UsageTime[],
  now: Instant,
): Instant | null {
  if (end === null || end > now) return null;
  let at = end;
  for (const { from, until, closedAt } of periods) {
    if (from >= end || (until !== null && until <= effectiveAt)) continue;
    if (closedAt === null) return null;
    at = Math.max(at, closedAt);
  }
  return at;
}

/**
 * How much of what is left of an expiring grant rolls over into a new grant: at most the maximum.
 *
 * @param maximum null: nothing rolls over
 * @example lastsOn('7.50', '5.00', 'usd') // '5.00'
 * @example lastsOn('3.00', '5.00', 'usd') // '3.00'
 * @example lastsOn('3.00', null, 'usd') // '0.00'
 */
export function lastsOn(left: string, maximum: string | null, currency: Currency): string {
  return moneyText(maximum === null ? '0' : smaller(dec(left), dec(maximum)), currency);
}
