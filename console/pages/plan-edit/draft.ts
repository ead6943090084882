import type { FeatureValue, OfferedFeature, OfferedPricing } from '../../../billing/contract/terms/offer.ts';
import { ownEntry } from '../../../billing/own-entry.ts';
import type { Price, StrategyDetails, Tier } from '../../../billing/pricing/price.ts';
import type { CataloguePlan } from '../../../db/plan/plan.ts';

/**
 * A plan as a form has it: texts by the names of the fields. Rows have numbers that stay while others are removed:
 * `features.3.slug`, `pricings.0.features.3.amount`, `pricings.0.price.tiers.1.up_to`.
 */
export type Draft = ReadonlyMap<string, string>;

/** Fields that a form of a plan may have; others are not read. */
const FIELD =
  /^(slug|internal_name|external_name|description|strategy|free_trial_days|version|(features|pricings)\.\d{1,4}\.[\w.]{1,60}|preview|(bought|used)\..{1,200})$/;

export const draftOfForm = (entries: readonly (readonly [string, string])[]): Draft =>
  new Map(entries.flatMap(([name, value]) => (FIELD.test(name) ? [[name, value.trim()] as const] : [])));

/** What a new plan begins with. */
export const EMPTY_DRAFT: Draft = new Map([
  ['strategy', 'plan'],
  ['free_trial_days', '0'],
  ['pricings.0.currency', 'usd'],
  ['pricings.0.cycle', 'month'],
  ['pricings.0.price.type', 'flat'],
]);

/** The numbers of the rows below a name, in their order. */
export function rowsOf(draft: Draft, name: string): number[] {
  const numbers = [...draft.keys()].flatMap((key) => {
    const [number = ''] = key.startsWith(`${name}.`) ? key.slice(name.length + 1).split('.') : [];
    return /^\d{1,4}$/.test(number) ? [Number(number)] : [];
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The groups that features name, in the order in which they come. */
export const groupsOf = (draft: Draft): string[] => [
  ...new Set(rowsOf(draft, 'features').flatMap((row) => draft.get(`features.${row}.group`) || [])),
];

/** The first field of each kind of row: it makes the row. */
const FIRST: readonly [RegExp, string, string][] = [
  [/^features$/, 'slug', ''],
  [/^pricings$/, 'cycle', 'month'],
  [/\.tiers$/, 'up_to', ''],
];

/** The draft with what a button of its form asks for: `add pricings`, `remove features.3`; otherwise as it is. */
export function draftAfter(draft: Draft, button: string): Draft {
  const [act, name = ''] = button.split(' ');
  if (act === 'remove') return without(draft, name);
  const first = FIRST.find(([pattern]) => pattern.test(name));
  if (act !== 'add' || first === undefined) return draft;
  const row = (rowsOf(draft, name).at(-1) ?? -1) + 1;
  return new Map([...draft, [`${name}.${row}.${first[1]}`, first[2]]]);
}

/** A feature is taken out with its prices. */
function without(draft: Draft, name: string): Draft {
  const isGone = (key: string): boolean =>
    key.startsWith(`${name}.`) || (name.startsWith('features.') && key.replace(/^pricings\.\d+\./, '').startsWith(`${name}.`));
  return new Map([...draft].filter(([key]) => !isGone(key)));
}

/** A plan of the catalogue as a form has it. */
export function draftOf(plan: CataloguePlan, version: number): Draft {
  const groups = [...new Set(plan.features.flatMap(({ group }) => group ?? []))];
  return new Map([
    ...entriesOf('', {
      slug: plan.slug,
      internal_name: plan.internalName,
      external_name: plan.externalName,
      description: plan.description,
      strategy: plan.strategy,
      free_trial_days: plan.freeTrialDays,
      version,
    }),
    ...plan.features.flatMap((feature, row) => featureEntries(`features.${row}.`, feature)),
    ...plan.pricings.flatMap((pricing, row) => pricingEntries(`pricings.${row}.`, plan.features, groups, pricing)),
  ]);
}

type Entry = readonly [string, string];

const entriesOf = (before: string, values: Readonly<Record<string, string | number | boolean | null | undefined>>): Entry[] =>
  Object.entries(values).map(([name, value]) => [`${before}${name}`, value === null || value === undefined ? '' : String(value)]);

/** What a feature's value is, in a form: a text is not read as yes or no, whatever it says. */
const VALUES = { yes: true, no: false } as const;
export const VALUE_KINDS = ['text', 'yes', 'no'] as const;

const featureEntries = (before: string, { slug, name, chargeTrigger, group, value }: OfferedFeature): Entry[] =>
  entriesOf(before, { slug, name, charge_trigger: chargeTrigger, group, ...valueEntries(value) });

const valueEntries = (value: FeatureValue | null) =>
  typeof value === 'boolean' ? { value_is: value ? 'yes' : 'no', value: null } : { value_is: 'text', value };

/** The value of a feature in a draft; null: none. */
export function valueIn(draft: Draft, at: string): FeatureValue | null {
  return ownEntry(VALUES, draft.get(`${at}.value_is`) ?? '') ?? (draft.get(`${at}.value`) || null);
}

/** The fields with a text beside a yes or no: which of them is meant can't be known. */
export const textsBesideYesOrNo = (draft: Draft): string[] =>
  rowsOf(draft, 'features')
    .map((row) => `features.${row}`)
    .filter((at) => ownEntry(VALUES, draft.get(`${at}.value_is`) ?? '') !== undefined && draft.get(`${at}.value`))
    .map((at) => `${at}.value`);

function pricingEntries(before: string, features: readonly OfferedFeature[], groups: readonly string[], pricing: OfferedPricing): Entry[] {
  const { currency, cycle, freeCycles, credits } = pricing;
  return [
    ...entriesOf(before, {
      currency,
      cycle,
      free_cycles: freeCycles,
      'credits.amount': credits?.amount,
      'credits.expires_after_cycles': credits?.expiresAfterCycles,
      'credits.rollover_maximum': credits?.rolloverMaximum,
    }),
    ...priceEntries(`${before}price.`, pricing.price ?? undefined),
    ...features.flatMap(({ slug }, row) => priceEntries(`${before}features.${row}.`, ownEntry(pricing.features, slug))),
    ...groups.flatMap((name, row) => priceEntries(`${before}groups.${row}.`, ownEntry(pricing.groups, name))),
  ];
}

function priceEntries(before: string, price: Price | undefined): Entry[] {
  if (price === undefined) return [];
  const { amount, freeCycles, taxCode, strategy } = price;
  return [
    ...entriesOf(before, { type: strategy.kind, amount, free_cycles: freeCycles, tax_code: taxCode }),
    ...strategyEntries(before, strategy),
  ];
}

function strategyEntries(before: string, details: StrategyDetails): Entry[] {
  if (details.kind === 'flat') return [];
  const { unitName, minimumUnits, maximumUnits, batchSize, flatFee } = details;
  const shared = {
    unit_name: unitName,
    minimum_units: minimumUnits,
    maximum_units: maximumUnits,
    batch_size: batchSize,
    flat_fee: flatFee,
  };
  const bought = 'unitCount' in details ? { unit_count: details.unitCount } : {};
  const above =
    details.kind === 'usage'
      ? { over_usage_price: details.overUsagePrice, over_usage_charge_strategy: details.overUsageChargeStrategy }
      : {};
  const tiers = 'tiers' in details ? [...entriesOf(before, { tier_mode: details.tierMode }), ...tierEntries(before, details.tiers)] : [];
  return [...entriesOf(before, { ...shared, ...bought, ...above }), ...tiers];
}

const tierEntries = (before: string, tiers: readonly Tier[]): Entry[] =>
  tiers.flatMap(({ upTo, unitPrice, flatFee }, row) =>
    entriesOf(`${before}tiers.${row}.`, { up_to: upTo, unit_price: unitPrice, flat_fee: flatFee }),
  );
