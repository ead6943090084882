import type { OfferedPricing } from '../../../billing/contract/terms/offer.ts';
import type { HeldPlan } from '../../../db/plan/plan.ts';
import { featureWords } from '../../../portal/pages/change/price-words.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { section } from '../../../portal/parts/section.ts';
import { table } from '../../../portal/parts/table.ts';
import type { Visit } from '../../http/visit.ts';
import { creditsWords, pricedRows, pricingTitle, wholePriceWords } from './words.ts';

/** Rows of one pricing that a page shows; a plan has up to a hundred pricings. */
const MOST_ROWS = 40;
const MOST_PRICINGS = 12;

/** The prices of a plan, a section for each currency and cycle. */
export function pricesSections(visit: Visit, plan: HeldPlan, side: (pricing: OfferedPricing) => Html | null): Html {
  const shown = plan.pricings.slice(0, MOST_PRICINGS);
  const others = plan.pricings.length - shown.length;
  return html`${shown.map((pricing, at) => section(`pricing-${at}`, pricingTitle(visit, pricing), pricingTable(visit, plan, pricing, `pricing-${at}`), side(pricing)))}
${others === 0 ? null : html`<p class="soft">${visit.t('plan.further_pricings', { count: others })}</p>`}`;
}

function pricingTable(visit: Visit, plan: HeldPlan, pricing: OfferedPricing, id: string): Html {
  const { t } = visit;
  const priced = pricedRows(visit, plan.features, pricing);
  const hasTaxCodes = priced.some(({ price }) => price.taxCode !== null);
  const columns = [t('plan.what'), t('plan.price'), ...(hasTaxCodes ? [t('plan.tax_code')] : [])].map((title) => ({ title }));
  const rows = priced
    .slice(0, MOST_ROWS)
    .map((row) => [row.name, wholePriceWords(visit, row, pricing.currency), ...(hasTaxCodes ? [row.price.taxCode ?? '–'] : [])]);
  const further = priced.length - rows.length;
  const credits = creditsWords(visit, pricing);
  return html`${rows.length === 0 ? html`<p class="soft">${t('plan.no_prices')}</p>` : table({ labelledBy: id, columns, rows })}
${further <= 0 ? null : html`<p class="soft">${t('plan.further_prices', { count: further })}</p>`}
${pricing.freeCycles === 0 ? null : html`<p>${t('plan.free_cycles_text', { count: pricing.freeCycles })}</p>`}
${credits === null ? null : html`<p>${t('plan.credits')}: ${credits}</p>`}`;
}

/** What the plan gives that has a price nowhere. */
export function includedSection(visit: Visit, { features, pricings }: HeldPlan): Html | null {
  const { t, portal } = visit;
  const free = features.filter(({ slug }) => pricings.every((pricing) => !Object.hasOwn(pricing.features, slug)));
  if (free.length === 0) return null;
  const words = ({ name, value, chargeTrigger }: (typeof free)[number]): string =>
    value === null ? name : `${name}: ${featureWords(portal, { price: null, value, chargeTrigger }, pricings[0]?.currency ?? 'usd')}`;
  return section(
    'included',
    t('plan.included_title'),
    html`<ul class="included">${free.slice(0, MOST_ROWS).map((feature) => html`<li>${words(feature)}</li>`)}</ul>`,
  );
}
