import { type ChargeTrigger, isUnitPriced, isUsagePriced, type Price } from '../../pricing/price.ts';
import type { Terms } from '../types.ts';

/** Something with a price: the plan, a feature or a group. */
export interface Source {
  /** `plan`, `feature:{slug}`, `group:{name}` */
  source: string;
  /** slug of the feature; null for plan and group */
  slug: string | null;
  name: string;
  trigger: ChargeTrigger;
  price: Price;
}

const FEATURE = 'feature:';

/** The slug of the feature that a source names, such as `feature:calls`; null: it names none. */
export const featureOf = (source: string): string | null => (source.startsWith(FEATURE) ? source.slice(FEATURE.length) : null);

/** Name of a plan as customers see it. */
export function planName({ externalName, internalName }: Pick<Terms, 'externalName' | 'internalName'>): string {
  return externalName ?? internalName;
}

/** Everything in the terms that has a price, in the order of the lines on an invoice: plan, groups, features. */
export function sourcesOf(terms: Terms): Source[] {
  const plan: Source[] = terms.price
    ? [{ source: 'plan', slug: null, name: planName(terms), trigger: 'every_cycle', price: terms.price }]
    : [];
  const groups = terms.groups.map(
    ({ name, price }): Source => ({ source: `group:${name}`, slug: null, name, trigger: 'every_cycle', price }),
  );
  const features = terms.features.flatMap(({ slug, name, chargeTrigger, price }): Source[] =>
    price ? [{ source: `${FEATURE}${slug}`, slug, name, trigger: chargeTrigger, price }] : [],
  );
  return [...plan, ...groups, ...features];
}

/** What is charged at every cycle's start: every_cycle prices that are not for usage. */
export function recurringSources(terms: Terms): Source[] {
  return sourcesOf(terms).filter(({ trigger, price }) => trigger === 'every_cycle' && !isUsagePriced(price));
}

/** What is charged for reported usage, when a period closes. */
export function usageSources(terms: Terms): Source[] {
  return sourcesOf(terms).filter(({ price }) => isUsagePriced(price));
}

/** What usage can be reported of: usage prices charge it, prices of bought units show it. */
export function reportedSources(terms: Terms): Source[] {
  return sourcesOf(terms).filter(({ slug, price }) => slug !== null && (isUsagePriced(price) || isUnitPriced(price)));
}

/** What is charged on one trigger other than every cycle. */
export function triggeredSources(terms: Terms, trigger: Exclude<ChargeTrigger, 'every_cycle'>): Source[] {
  return sourcesOf(terms).filter((one) => one.trigger === trigger && !isUsagePriced(one.price));
}
