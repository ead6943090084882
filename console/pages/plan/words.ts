import type { OfferedFeature, OfferedPricing } from '../../../billing/contract/terms/offer.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { dec, plain } from '../../../billing/money/decimal.ts';
import { ownEntry } from '../../../billing/own-entry.ts';
import { isUnits, type Price } from '../../../billing/pricing/price.ts';
import type { CataloguePlan, HeldPlan } from '../../../db/plan/plan.ts';
import { priceWords } from '../../../portal/pages/change/price-words.ts';
import type { Html } from '../../../portal/parts/html.ts';
import { badge } from '../../../portal/parts/note.ts';
import type { Reader } from '../../messages/reader.ts';

/** Name of a plan for the vendor's own people. */
export const catalogueName = ({ internalName }: Pick<HeldPlan, 'internalName'>): string => internalName;

export const planBadge = ({ t }: Reader, { status }: Pick<CataloguePlan, 'status'>): Html =>
  badge(status === 'active' ? 'good' : 'plain', t(`plan.status_${status}`));

/** "USD, monthly". */
export const pricingTitle = ({ t }: Reader, { currency, cycle }: Pick<OfferedPricing, 'currency' | 'cycle'>): string =>
  t('plan.title', { currency: currency.toUpperCase(), cycle });

/** One thing of a pricing that has a price. */
export interface PricedRow {
  /** unique in the pricing: `plan`, `group:{name}`, `feature:{slug}` */
  source: string;
  name: string;
  price: Price;
  trigger: OfferedFeature['chargeTrigger'];
}

/** What has a price in a pricing, in the order of the lines on an invoice. */
export function pricedRows({ t }: Reader, features: readonly OfferedFeature[], pricing: OfferedPricing): PricedRow[] {
  const own = pricing.price === null ? [] : [{ source: 'plan', name: t('plan.plan_price'), price: pricing.price }];
  const groups = Object.entries(pricing.groups).map(([name, price]) => ({
    source: `group:${name}`,
    name: t('plan.group_price', { name }),
    price,
  }));
  const priced = features.flatMap(({ slug, name, chargeTrigger: trigger }): PricedRow[] => {
    const price = ownEntry(pricing.features, slug);
    return price === undefined ? [] : [{ source: `feature:${slug}`, name, price, trigger }];
  });
  return [...[...own, ...groups].map((one): PricedRow => ({ ...one, trigger: 'every_cycle' })), ...priced];
}

/** What a price is, and what limits it. */
export const wholePriceWords = (reader: Reader, { price, trigger }: PricedRow, currency: Currency): string =>
  [priceWords(reader.portal, price, trigger, currency), ...limitWords(reader, price)].join('; ');

/** What the words for customers leave out: units that are bought, packages, free cycles of this price alone. */
function limitWords({ t, format }: Reader, { strategy, freeCycles }: Price): string[] {
  const count = (key: 'bought_default' | 'least' | 'most' | 'batch', units: string): string =>
    t(`plan.${key}`, { count: format.number(plain(units)) });
  const bought = isUnits(strategy) ? [count('bought_default', strategy.unitCount)] : [];
  const least = isUnits(strategy) && !dec(strategy.minimumUnits).isZero() ? [count('least', strategy.minimumUnits)] : [];
  const most = isUnits(strategy) && strategy.maximumUnits !== null ? [count('most', strategy.maximumUnits)] : [];
  const batch = strategy.kind !== 'flat' && strategy.batchSize !== null ? [count('batch', String(strategy.batchSize))] : [];
  const free = freeCycles > 0 ? [t('plan.free_cycles_text', { count: freeCycles })] : [];
  return [...bought, ...least, ...most, ...batch, ...free];
}

/** Prepaid credits of a pricing, in words. */
export function creditsWords({ t, format }: Reader, { credits, currency }: OfferedPricing): string | null {
  if (!credits) return null;
  return t('plan.credits_expire', { amount: format.money(credits.amount, currency), count: credits.expiresAfterCycles });
}
