import { html } from '../../../portal/parts/html.ts';
import { newestPlans } from '../../../services/console/plan.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { ConsoleResponse } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { listResponse } from '../filtered-list.ts';
import { linkTo, planAddress } from '../links.ts';
import { placeAsked } from '../list-page.ts';
import { catalogueName, planBadge, pricingTitle } from '../plan/words.ts';

export const plansPages = [onGet('/plans', showPlans)];

const STATUSES = ['active', 'archived'] as const;
/** Currencies and cycles that a row of the list names. */
const MOST_NAMED = 6;

async function showPlans(visit: Visit): Promise<ConsoleResponse> {
  const { t, format, query, visitor } = visit;
  const filter = { slug: query('slug') || undefined, status: STATUSES.find((one) => one === query('status')) };
  const { rows, next } = await newestPlans(visit.db, visit.visitor.vendorId, filter, { after: placeAsked(visit) });
  return listResponse(visit, {
    title: t('plan.list_title'),
    texts: [{ name: 'slug', label: t('plan.slug') }],
    choice: {
      name: 'status',
      label: t('plan.status'),
      options: STATUSES.map((value) => ({ value, text: t(`plan.status_${value}`) })),
    },
    table: {
      columns: [t('plan.name'), t('plan.slug'), t('plan.prices'), t('plan.status'), t('plan.created')].map((title) => ({ title })),
      rows: rows.map((plan) => [
        linkTo(planAddress(plan.id), catalogueName(plan)),
        plan.slug,
        html`${plan.pricings.slice(0, MOST_NAMED).map((pricing) => html`<div>${pricingTitle(visit, pricing)}</div>`)}${plan.pricings.length > MOST_NAMED ? '…' : null}`,
        planBadge(visit, plan),
        format.shortDay(plan.created),
      ]),
    },
    next,
    acts: visitor.scope === 'full' ? html`<a class="button small" href="${CONSOLE_PREFIX}/plans/new">${t('editor.new')}</a>` : null,
  });
}
