import { type Draft, groupsOf, rowsOf, valueIn } from './draft.ts';

type Json = Record<string, unknown>;

/** Fields of a price by its kind, as the API has them; those that are empty are left out. */
const TEXTS = {
  flat: [],
  per_unit: ['unit_name', 'unit_count', 'minimum_units', 'maximum_units', 'flat_fee'],
  usage: ['unit_name', 'minimum_units', 'maximum_units', 'over_usage_price', 'over_usage_charge_strategy', 'flat_fee'],
  unit_tiered: ['unit_name', 'unit_count', 'minimum_units', 'maximum_units', 'flat_fee', 'tier_mode'],
  usage_tiered: ['unit_name', 'minimum_units', 'maximum_units', 'flat_fee', 'tier_mode'],
} as const;

export type PriceKind = keyof typeof TEXTS;
export const PRICE_KINDS = Object.keys(TEXTS) as PriceKind[];

/** The fields that a kind of price has in a form, besides its amount and tiers. */
export const fieldsOfKind = (kind: PriceKind): readonly string[] => (kind === 'flat' ? [] : [...TEXTS[kind], 'batch_size']);

export const kindOf = (text: string | undefined): PriceKind | null => PRICE_KINDS.find((kind) => kind === text) ?? null;

/** A draft as the body of the API's request. What is no number stays text, so that the field is refused. */
export function bodyOf(draft: Draft, id: string | null): Json {
  const text = (name: string): string => draft.get(name) ?? '';
  return {
    ...(id === null ? {} : { id }),
    slug: text('slug'),
    internal_name: text('internal_name'),
    external_name: text('external_name') || null,
    description: text('description') || null,
    strategy: text('strategy'),
    free_trial_days: whole(text('free_trial_days')) ?? 0,
    features: rowsOf(draft, 'features').map((row) => featureOf(draft, `features.${row}`)),
    pricings: rowsOf(draft, 'pricings').map((row) => pricingOf(draft, `pricings.${row}`)),
  };
}

const whole = (text: string): number | string | null => (text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : text);

function featureOf(draft: Draft, at: string): Json {
  const text = (name: string): string => draft.get(`${at}.${name}`) ?? '';
  return {
    slug: text('slug'),
    name: text('name'),
    charge_trigger: text('charge_trigger') || null,
    group: text('group') || null,
    value: valueIn(draft, at),
  };
}

function pricingOf(draft: Draft, at: string): Json {
  const text = (name: string): string => draft.get(`${at}.${name}`) ?? '';
  const slugs = rowsOf(draft, 'features').map((row): [string, string] => [
    draft.get(`features.${row}.slug`) ?? '',
    `${at}.features.${row}`,
  ]);
  const groups = groupsOf(draft).map((name, row): [string, string] => [name, `${at}.groups.${row}`]);
  return {
    currency: text('currency').toLowerCase(),
    cycle: text('cycle'),
    free_cycles: whole(text('free_cycles')),
    price: draft.get('strategy') === 'plan' ? priceOf(draft, `${at}.price`) : null,
    features: pricesOf(draft, slugs),
    groups: draft.get('strategy') === 'group' ? pricesOf(draft, groups) : null,
    credits: creditsOf(draft, `${at}.credits`),
  };
}

/** A feature without a slug is refused because of that; its price is checked later. */
const pricesOf = (draft: Draft, places: readonly [name: string, at: string][]): Json =>
  Object.fromEntries(
    places.flatMap(([name, at]) => {
      const price = name === '' ? null : priceOf(draft, at);
      return price === null ? [] : [[name, price]];
    }),
  );

function creditsOf(draft: Draft, at: string): Json | null {
  const [amount, expires, rollover] = ['amount', 'expires_after_cycles', 'rollover_maximum'].map(
    (name) => draft.get(`${at}.${name}`) ?? '',
  );
  if (!amount && !expires && !rollover) return null;
  return { amount: amount ?? '', expires_after_cycles: whole(expires ?? '') ?? undefined, rollover_maximum: rollover || null };
}

function priceOf(draft: Draft, at: string): Json | null {
  const kind = kindOf(draft.get(`${at}.type`));
  if (kind === null) return null;
  const text = (name: string): string => draft.get(`${at}.${name}`) ?? '';
  const given = TEXTS[kind].flatMap((name) => (text(name) === '' ? [] : [[name, text(name)]]));
  const isTiered = kind === 'unit_tiered' || kind === 'usage_tiered';
  return {
    amount: isTiered ? '0' : text('amount'),
    free_cycles: whole(text('free_cycles')),
    tax_code: text('tax_code') || null,
    strategy_details: {
      pricing_strategy: kind,
      ...Object.fromEntries(given),
      ...(kind === 'flat' ? {} : { batch_size: whole(text('batch_size')) }),
      ...(isTiered ? { tiers: rowsOf(draft, `${at}.tiers`).map((row) => tierOf(draft, `${at}.tiers.${row}`)) } : {}),
    },
  };
}

const tierOf = (draft: Draft, at: string): Json => ({
  up_to: draft.get(`${at}.up_to`) || null,
  unit_price: draft.get(`${at}.unit_price`) ?? '',
  flat_fee: draft.get(`${at}.flat_fee`) || null,
});

/** The field of a form that a field of the API's request came from: `features[1].slug` is `features.3.slug`. */
export function fieldOf(draft: Draft, path: string): string {
  const [, list = '', index = '', rest = ''] = /^(features|pricings)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  if (list === '') return path;
  const row = `${list}.${rowsOf(draft, list)[Number(index)] ?? 0}`;
  if (list === 'features') return `${row}.${rest || 'slug'}`;
  return fieldOfPricing(draft, row, rest);
}

function fieldOfPricing(draft: Draft, row: string, path: string): string {
  if (path === '') return `${row}.currency`;
  const [, noun = ''] = /^(features|groups)\./.exec(path) ?? [];
  if (noun === '')
    return path.startsWith('price') && /^price(\.|$)/.test(path) ? fieldOfPrice(draft, `${row}.price`, path.slice(6)) : `${row}.${path}`;
  const names: [string, number][] =
    noun === 'groups'
      ? groupsOf(draft).map((name, at) => [name, at])
      : rowsOf(draft, 'features').map((at) => [draft.get(`features.${at}.slug`) ?? '', at]);
  const inside = path.slice(noun.length + 1);
  // a slug may have points in it: the longest that fits
  const [found] = names.filter(([name]) => inside === name || inside.startsWith(`${name}.`)).sort(([a], [b]) => b.length - a.length);
  if (found === undefined) return `${row}.currency`;
  return fieldOfPrice(draft, `${row}.${noun}.${found[1]}`, inside.slice(found[0].length + 1));
}

function fieldOfPrice(draft: Draft, at: string, path: string): string {
  const own = path.replace(/^strategy_details\.?/, '');
  if (own === '' || own === 'pricing_strategy') return `${at}.type`;
  const [, index, field] = /^tiers\[(\d+)\]\.(\w+)$/.exec(own) ?? [];
  if (index === undefined) return `${at}.${own}`;
  return `${at}.tiers.${rowsOf(draft, `${at}.tiers`)[Number(index)] ?? 0}.${field}`;
}
