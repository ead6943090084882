import { plain } from '../../money/decimal.ts';
import { ownEntry } from '../../own-entry.ts';
import { parseUnits } from '../../pricing/parse-units.ts';
import { isUnits, isUsage, type Price } from '../../pricing/price.ts';
import { checkUnits } from '../../pricing/quantity.ts';
import { BillingError, type FieldProblem } from '../../problem.ts';
import type { NewId, Terms } from '../types.ts';
import type { Offer } from './offer.ts';

/** What a customer gets otherwise than the catalogue says; null or absent = as the catalogue says. */
export interface Override {
  units?: string | null;
  /** amount of the price: the flat amount, or that of one unit */
  price?: string | null;
  flatFee?: string | null;
  /** wire name of the entry, under which its problems are reported, such as `unit_count_configuration.seats` */
  field: string;
}

/** Overrides by feature slug; a group by its name, the plan's own price by the plan's slug or `plan`. */
export type Overrides = Record<string, Override>;

/**
 * The contract's own copy of what is sold: later edits of the catalogue don't change it.
 *
 * @throws BillingError with every problem of the overrides, under their wire names
 */
export function buildTerms({ plan, pricing }: Offer, overrides: Overrides, newId: NewId): Terms {
  const terms: Terms = {
    id: newId('Plan'),
    originalPlanId: plan.id,
    pricingId: pricing.id,
    slug: plan.slug,
    internalName: plan.internalName,
    externalName: plan.externalName,
    description: plan.description,
    strategy: plan.strategy,
    freeTrialDays: plan.freeTrialDays,
    currency: pricing.currency,
    cycle: pricing.cycle,
    price: pricing.price,
    features: plan.features.map(({ id, ...feature }) => ({
      id: newId('Feat'),
      originalFeatureId: id,
      ...feature,
      price: ownEntry(pricing.features, feature.slug) ?? null,
    })),
    groups: Object.entries(pricing.groups).map(([name, price]) => ({ name, price })),
    credits: pricing.credits ?? null,
  };
  return withOverrides(terms, overrides, newId);
}

/**
 * Terms with other units, prices or fees; everything else as it was.
 *
 * @throws BillingError `unknown_feature`, `units_not_changeable`, `price_not_changeable`, and what `checkUnits` says
 */
export function withOverrides(terms: Terms, overrides: Overrides, newId: NewId): Terms {
  const problems: FieldProblem[] = [];
  const used = new Set<string>();
  const apply = <T extends Price | null>(price: T, ...names: string[]): T | Price => {
    const name = names.find((one) => Object.hasOwn(overrides, one) && !used.has(one));
    const override = name === undefined ? undefined : overrides[name];
    if (name === undefined || override === undefined || price === null) return price;
    used.add(name);
    return overridden(price, override, problems, newId);
  };
  const features = terms.features.map((feature) => ({ ...feature, price: apply(feature.price, feature.slug) }));
  const groups = terms.groups.map((group) => ({ ...group, price: apply(group.price, group.name) }));
  const price = apply(terms.price, terms.slug, 'plan');
  for (const [name, { field }] of Object.entries(overrides)) {
    if (!used.has(name))
      problems.push({ field, code: 'unknown_feature', message: 'give the slug of a feature of the plan that has a price' });
  }
  if (problems.length > 0) throw new BillingError(problems);
  return { ...terms, features, groups, price };
}

function overridden(price: Price, override: Override, problems: FieldProblem[], newId: NewId): Price {
  const { strategy } = price;
  const { field } = override;
  let changed: Price = price;
  if (override.units != null) {
    if (!isUnits(strategy))
      problems.push({ field, code: 'units_not_changeable', message: 'leave the units out: the price is not per unit bought' });
    else {
      const found = checkUnits(strategy, override.units, field);
      problems.push(...found);
      if (found.length === 0) changed = { ...changed, strategy: { ...strategy, unitCount: plain(override.units) } };
    }
  }
  if (override.price != null) {
    const amount = readAmount(override.price, `${field}.price`, problems);
    if (strategy.kind === 'unit_tiered' || strategy.kind === 'usage_tiered') {
      problems.push({ field: `${field}.price`, code: 'price_not_changeable', message: 'leave it out: the tiers carry the prices' });
    } else if (amount !== null) changed = { ...changed, id: newId('Price'), amount };
  }
  if (override.flatFee != null) {
    const flatFee = readAmount(override.flatFee, `${field}.flat_fee`, problems);
    const details = changed.strategy;
    if (!isUnits(details) && !isUsage(details)) {
      problems.push({ field: `${field}.flat_fee`, code: 'price_not_changeable', message: 'leave it out: a flat price has no fee besides' });
    } else if (flatFee !== null) changed = { ...changed, id: newId('Price'), strategy: { ...details, flatFee } };
  }
  return changed;
}

function readAmount(input: string, field: string, problems: FieldProblem[]): string | null {
  const read = parseUnits(input, field);
  problems.push(...read.problems);
  return read.problems.length > 0 ? null : plain(input);
}

/**
 * Units that new terms take over from old ones: those bought of equal slugs, where the new limits allow them.
 *
 * @returns overrides for `buildTerms`; none where the plan's default applies
 */
export function unitsTakenOver(old: Terms, { plan, pricing }: Offer): Overrides {
  return takenOver(old, { slug: plan.slug, ...pricing });
}

/**
 * Units that terms which wait take over from a change of units: only those that it names.
 *
 * @param bought the terms with the new units
 * @param named what the change of units gives for them
 * @returns overrides for `withOverrides`; none where the waiting terms keep their own number
 * @example
 * const team = (units) => buildTerms(plan('team', { price: seats('10', units) }), {}, newId);
 * const small = buildTerms(plan('small', { price: seats('4', '1') }), {}, newId);
 * unitsForWaiting(team('8'), { plan: { units: '8', field: 'plan' } }, small) // { small: { units: '8', field: 'small' } }
 */
export function unitsForWaiting(bought: Terms, named: Overrides, waiting: Terms): Overrides {
  const givesUnits = (name: string): boolean => ownEntry(named, name)?.units != null;
  return takenOver(bought, soldBy(waiting), (...names) => names.some(givesUnits));
}

/** Prices by feature slug and group name, and that of the plan itself. */
interface SoldPrices {
  slug: string;
  price: Price | null;
  features: Record<string, Price>;
  groups: Record<string, Price>;
}

function soldBy({ slug, price, features, groups }: Terms): SoldPrices {
  return {
    slug,
    price,
    features: Object.fromEntries(features.flatMap((feature) => (feature.price === null ? [] : [[feature.slug, feature.price] as const]))),
    groups: Object.fromEntries(groups.map((group) => [group.name, group.price] as const)),
  };
}

/** @param isTaken whether the units of a price are taken over, by the names that it has in the old terms */
function takenOver(old: Terms, next: SoldPrices, isTaken: (...names: string[]) => boolean = () => true): Overrides {
  const taken: Overrides = {};
  const take = (name: string, before: Price | null, after: Price | null | undefined): void => {
    if (!before || !after || !isUnits(before.strategy) || !isUnits(after.strategy)) return;
    const units = before.strategy.unitCount;
    if (checkUnits(after.strategy, units, name).length === 0) taken[name] = { units, field: name };
  };
  for (const { slug, price } of old.features) if (isTaken(slug)) take(slug, price, ownEntry(next.features, slug));
  for (const { name, price } of old.groups) if (isTaken(name)) take(name, price, ownEntry(next.groups, name));
  if (!Object.hasOwn(taken, next.slug) && isTaken(old.slug, 'plan')) take(next.slug, old.price, next.price);
  return taken;
}

/** The price of a feature; null where the contract doesn't have the feature, or it has no price. */
export function priceOfFeature({ features }: Terms, slug: string): Price | null {
  return features.find((feature) => feature.slug === slug)?.price ?? null;
}

/** Whether two terms sell the same at the same prices: the plan and every price, ids and names of copies apart. */
export function sameTerms(a: Terms, b: Terms): boolean {
  return a.originalPlanId === b.originalPlanId && isSame(comparable(a), comparable(b));
}

/** Whether two prices charge the same; ids apart. */
export function samePrice(a: Price | null, b: Price | null): boolean {
  return a === b || isSame(withoutId(a), withoutId(b));
}

/** Whether two prices charge the same for the same bought units. */
export function samePriceButUnits(a: Price, b: Price): boolean {
  return samePrice(withoutUnits(a), withoutUnits(b));
}

function withoutUnits(price: Price): Price {
  return isUnits(price.strategy) ? { ...price, strategy: { ...price.strategy, unitCount: '' } } : price;
}

/** Whether two values are the same JSON; a value read back from the database has its keys in another order. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of Object.keys(left)) if (!isSame(left[key], right[key])) return false;
  return Object.keys(right).every((key) => Object.hasOwn(left, key) || right[key] === undefined);
}

function withoutId(price: Price | null): Price | null {
  return price && { ...price, id: '' };
}

function comparable({ strategy, currency, cycle, price, features, groups, credits }: Terms): unknown {
  return {
    credits: credits ? [plain(credits.amount), credits.expiresAfterCycles, credits.rolloverMaximum] : null,
    strategy,
    currency,
    cycle,
    price: withoutId(price),
    features: features
      .map(({ slug, chargeTrigger, group, value, price: one }) => [slug, chargeTrigger, group, value, withoutId(one)])
      .sort(([x], [y]) => String(x).localeCompare(String(y))),
    groups: groups.map(({ name, price: one }) => [name, withoutId(one)]).sort(([x], [y]) => String(x).localeCompare(String(y))),
  };
}
