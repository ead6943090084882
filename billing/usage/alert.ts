import { dec, text } from '../money/decimal.ts';
import type { LimitWindow, UsageLimit } from './limit.ts';

/**
 * What an alert watches: units of a feature, what the usage of the open periods comes to, or what is left of prepaid
 * credits.
 */
export type AlertOn = 'usage' | 'spend' | 'balance';

/** Levels that are announced when usage reaches them. */
export interface UsageAlert {
  id: string;
  customerId: string;
  on: AlertOn;
  /** null: of `spend`, all features together; of `balance`, which has none */
  slug: string | null;
  /** as they were given: decimals, or shares such as "80%" of a limit or of the units at the usual price */
  steps: readonly string[];
}

/** One of the levels of an alert, or the only one of a limit that tells. */
export interface Step {
  /** as it was given */
  step: string;
  /** what it comes to */
  level: string;
}

/** What has steps to be announced: an alert, or a limit that lets usage pass. */
export interface Watch {
  id: string;
  source: 'alert' | 'limit';
  customerId: string;
  on: AlertOn;
  slug: string | null;
  window: LimitWindow;
  steps: readonly string[];
}

/** Whether a step is a share of something. */
export const isShare = (step: string): boolean => step.endsWith('%');

/** An alert counts over the usage period. */
export const watchOfAlert = (alert: UsageAlert): Watch => ({ ...alert, source: 'alert', window: 'period' });

/** A limit that tells announces usage where another limit would refuse it. */
export const watchOfLimit = ({ id, customerId, slug, units, amount, window }: UsageLimit): Watch => ({
  ...{ id, source: 'limit', customerId, slug, window },
  ...{ on: amount === null ? 'usage' : 'spend', steps: [units ?? amount ?? '0'] },
});

/**
 * What the percentages of an alert refer to: the lowest limit that counts the same thing over the usage period; without
 * one, for units, the number of units at the usual price; null: there is neither. A balance has no percentages.
 *
 * @param maximum units at the usual price of the feature
 */
export function baseOf(alert: Pick<Watch, 'on' | 'slug'>, limits: readonly UsageLimit[], maximum: string | null): string | null {
  if (alert.on === 'balance') return null;
  const own = limits
    .filter(({ slug, window }) => slug === alert.slug && window === 'period')
    .flatMap(({ units, amount }) => (alert.on === 'usage' ? units : amount) ?? []);
  const [lowest] = own.toSorted((a, b) => dec(a).comparedTo(b));
  return lowest ?? (alert.on === 'usage' ? maximum : null);
}

/**
 * The steps that a value has reached, the first that it comes by first: an alert's when it is as high, or of a balance,
 * which falls, as low; that of a limit when it is above, where another limit would refuse. A share of nothing is never
 * reached.
 *
 * @param base what shares are of
 * @example stepsReached({ source: 'alert', on: 'usage', steps: ['90', '80%', '50'] }, '81', '100') // [{ step: '50', level: '50' }, { step: '80%', level: '80' }]
 */
export function stepsReached(watch: Pick<Watch, 'source' | 'on' | 'steps'>, value: string, base: string | null): Step[] {
  const { source, on } = watch;
  const rising = levelsOf(watch, base);
  if (on === 'balance') return rising.reverse().filter(({ level }) => dec(value).lte(level));
  return rising.filter(({ level }) => (source === 'alert' ? dec(value).gte(level) : dec(value).gt(level)));
}

/** The levels of a watch's steps, the lowest first. A percentage without anything that it refers to has none. */
export function levelsOf({ steps }: Pick<Watch, 'steps'>, base: string | null): Step[] {
  const levels = steps.flatMap((step): Step[] => {
    if (!isShare(step)) return [{ step, level: step }];
    return base === null ? [] : [{ step, level: text(dec(base).times(step.slice(0, -1)).div(100)) }];
  });
  return levels.sort((a, b) => dec(a.level).comparedTo(b.level));
}
