import { HOUR, type Instant } from '../calendar/instant.ts';
import { dec, sum } from '../money/decimal.ts';

/** How long a top-up buys nothing after a declined payment, in milliseconds. */
const BACK_OFF = 24 * HOUR;

/** After this many declines in a row a top-up buys nothing any more. */
const MOST_DECLINES = 3;

/** How a top-up stands with the payments of what it buys. */
export interface TopUpBrake {
  /** payments in a row that were declined */
  declines: number;
  pausedUntil: Instant | null;
  stoppedAt: Instant | null;
}

/**
 * Counts one more decline: nothing is bought for a day, and after the third in a row nothing at all.
 *
 * @example
 * afterDecline({ declines: 0, pausedUntil: null, stoppedAt: null }, at('2025-01-20')) // { declines: 1, pausedUntil: at('2025-01-21'), stoppedAt: null }
 * afterDecline({ declines: 2, pausedUntil: null, stoppedAt: null }, at('2025-01-20')).stoppedAt // at('2025-01-20')
 */
export function afterDecline({ declines, stoppedAt }: TopUpBrake, now: Instant): TopUpBrake {
  const count = declines + 1;
  return { declines: count, pausedUntil: now + BACK_OFF, stoppedAt: stoppedAt ?? (count < MOST_DECLINES ? null : now) };
}

/** A top-up with what decides whether it buys. Amounts in its currency. */
export interface TopUpFacts {
  below: string;
  price: string;
  atMostPerMonth: string;
  pausedUntil: Instant | null;
  /** since when nothing is bought, because payments were declined */
  stoppedAt: Instant | null;
  /** what is left of credits, less what the open usage will take */
  live: string;
  /** prices of what it has bought in this calendar month */
  spent: readonly string[];
  /** something that it has bought is not paid yet */
  isOpen: boolean;
}

/** What a top-up does now: it buys, it waits for an instant, or it has nothing to do. */
export type TopUpStep = { type: 'buy' } | { type: 'wait'; until: Instant } | { type: 'nothing' };

/**
 * Decides what a top-up does at an instant: one purchase at a time, none within a day of a decline or after the third
 * in a row, and never more money in a calendar month (UTC) than it may spend.
 *
 * @example
 * const facts = { below: '10', price: '50', atMostPerMonth: '100', pausedUntil: null, stoppedAt: null, live: '9.99', spent: ['50'], isOpen: false };
 * topUpStep(facts, at('2025-01-20')).type // 'buy'
 * topUpStep({ ...facts, spent: ['50', '50'] }, at('2025-01-20')) // { type: 'wait', until: at('2025-02-01') }
 */
export function topUpStep(
  { below, price, atMostPerMonth, pausedUntil, stoppedAt, live, spent, isOpen }: TopUpFacts,
  now: Instant,
): TopUpStep {
  if (isOpen || stoppedAt !== null || !dec(live).lt(dec(below))) return { type: 'nothing' };
  if (pausedUntil !== null && pausedUntil > now) return { type: 'wait', until: pausedUntil };
  const after = sum(spent.map((one) => dec(one))).plus(dec(price));
  return after.gt(dec(atMostPerMonth)) ? { type: 'wait', until: monthOf(now).until } : { type: 'buy' };
}

/**
 * The calendar month, in UTC, that an instant lies in.
 *
 * @example monthOf(at('2025-12-31T23:00:00Z')) // { from: at('2025-12-01'), until: at('2026-01-01') }
 */
export function monthOf(at: Instant): { from: Instant; until: Instant } {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), until: Date.UTC(year, month + 1) };
}
