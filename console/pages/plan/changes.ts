import { isDeepStrictEqual } from 'node:util';
import type { OfferedFeature, OfferedPricing } from '../../../billing/contract/terms/offer.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import type { HeldPlan } from '../../../db/plan/plan.ts';
import type { Reader } from '../../messages/reader.ts';
import { creditsWords, pricedRows, pricingTitle, wholePriceWords } from './words.ts';

/** Names of what a plan has, each with its words; the order is that in which changes are named. */
type Words = ReadonlyMap<string, { what: string; words: string; stored: unknown }>;

/** What one version of a plan has otherwise than the one before it, a sentence for each change. */
export function planChanges(reader: Reader, before: HeldPlan, after: HeldPlan): string[] {
  const { t } = reader;
  const [old, fresh] = [wordsOf(reader, before), wordsOf(reader, after)];
  const names = [...new Set([...fresh.keys(), ...old.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), fresh.get(name)];
    if (was === undefined) return is === undefined ? [] : [t('plan.change_added', { what: is.what, after: is.words })];
    if (is === undefined) return [t('plan.change_removed', { what: was.what, before: was.words })];
    if (isDeepStrictEqual(was.stored, is.stored)) return [];
    const words = was.words === is.words ? t('plan.other') : is.words;
    return [t('plan.change_changed', { what: is.what, before: was.words, after: words })];
  });
}

function wordsOf(reader: Reader, plan: HeldPlan): Words {
  const { t } = reader;
  const text = (what: string, value: string | null) => ({ what, words: value || t('plan.none'), stored: value });
  const given = (what: string, value: object) => ({
    what,
    words: Object.keys(value).length === 0 ? t('plan.none') : t('plan.given'),
    stored: stored(value),
  });
  return new Map([
    ['name', text(t('plan.name'), plan.internalName)],
    ['shown', text(t('plan.shown_name'), plan.externalName)],
    ['slug', text(t('plan.slug'), plan.slug)],
    ['description', text(t('plan.description'), plan.description)],
    ['strategy', text(t('plan.strategy'), t(`plan.strategy_${plan.strategy}`))],
    ['trial', text(t('plan.trial'), t('plan.days', { count: plan.freeTrialDays }))],
    ['change_rules', given(t('plan.rules_change'), plan.changeRules)],
    ['pause_rules', given(t('plan.rules_pause'), plan.pauseRules)],
    ['metadata', given(t('plan.metadata'), plan.metadata)],
    ...plan.features.map((feature) => featureEntry(reader, feature)),
    ...plan.pricings.flatMap((pricing) => pricingEntries(reader, plan, pricing)),
  ]);
}

function featureEntry({ t }: Reader, { id: _, ...feature }: OfferedFeature) {
  const { slug, name, chargeTrigger: trigger, group, value } = feature;
  const own = t('plan.feature_text', { name, trigger });
  const grouped = group === null ? own : t('plan.feature_group', { text: own, group });
  const kind = typeof value === 'string' ? 'text' : value ? 'yes' : 'no';
  const words = value === null ? grouped : t('plan.feature_value', { text: grouped, kind, value: String(value) });
  return [`feature ${slug}`, { what: t('plan.feature', { name: slug }), words, stored: stored(feature) }] as const;
}

function pricingEntries(reader: Reader, { features }: HeldPlan, pricing: OfferedPricing) {
  const { t } = reader;
  const title = pricingTitle(reader, pricing);
  const entry = (name: string, what: string, words: string, value: unknown) =>
    [`${title} ${name}`, { what: t('plan.of_pricing', { name: what, title }), words, stored: stored(value) }] as const;
  const credits = creditsWords(reader, pricing);
  return [
    entry('free', t('plan.free_cycles'), String(pricing.freeCycles), pricing.freeCycles),
    entry('credits', t('plan.credits'), credits ?? t('plan.none'), pricing.credits ?? null),
    ...pricedRows(reader, features, pricing).map((row) =>
      entry(row.source, row.name, wholePriceWords(reader, row, pricing.currency), withoutId(row.price)),
    ),
  ];
}

const withoutId = ({ id: _, ...price }: Price): unknown => price;

/** A value as it comes back from the database. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
