import { planName } from '../../../billing/contract/period/sources.ts';
import type { Terms } from '../../../billing/contract/types.ts';
import { boughtUnits, isUnitPriced } from '../../../billing/pricing/price.ts';
import type { PortalSubscription } from '../../../services/portal/subscription.ts';
import { runningUsage } from '../../../services/portal/usage.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { section } from '../../parts/section.ts';
import { table } from '../../parts/table.ts';
import { featureWords } from '../change/price-words.ts';
import { gateNotice } from '../gate/view.ts';
import { cycleWords, facts, statusBadge, waits } from './facts.ts';
import { historyEntries } from './history.ts';
import { nextInvoiceSection } from './next-invoice.ts';
import { usagePlots } from './plots.ts';
import { usageBars } from './usage.ts';

/** One subscription: how it stands, what the next invoice will be, what was used, and what happened to it. */
export function contractContent(visit: Visit, subscription: PortalSubscription): Html {
  const { t } = visit;
  const { placed, charge, history } = subscription;
  const { contract } = placed;
  return html`<a class="up" href="/portal">${t('overview.title')}</a>
<div class="title"><h1>${planName(contract.terms)}</h1>${statusBadge(visit, placed)}</div>
${gateNotice(visit, [placed])}${waits(visit, placed)}
<section><p class="figure">${cycleWords(visit, placed)}</p><p class="small soft">${t('contract.before_tax')}</p>
${facts(visit, placed, charge)}
${actions(visit, subscription)}</section>
${contract.status === 'canceled' ? null : nextInvoiceSection(visit, subscription)}
${usageSection(visit, subscription)}
${includedSection(visit, contract.terms)}
${section('history', t('contract.history_title'), historyEntries(visit, history))}`;
}

/**
 * A frozen customer only looks, and a contract that waits for its payment can only be paid; a change or cancellation
 * that waits has its own button to undo it.
 */
function actions({ t, customer }: Visit, { placed: { contract, change } }: PortalSubscription): Html | null {
  if (customer.status === 'inactive' || contract.status === 'canceled' || contract.status === 'not_ready') return null;
  if (contract.gate?.contractId === contract.id) return null;
  const page = `/portal/contract/${contract.id}`;
  const toChange = change === null ? html`<a class="button main" href="${page}/change">${t('contract.change')}</a>` : null;
  const toCancel = contract.cancellation === null ? html`<a class="button" href="${page}/cancel">${t('contract.cancel')}</a>` : null;
  return toChange === null && toCancel === null ? null : html`<div class="actions">${toChange}${toCancel}</div>`;
}

function usageSection(visit: Visit, { placed, periods }: PortalSubscription): Html | null {
  const { contract, used } = placed;
  const usage = runningUsage(contract, used);
  if (usage.length === 0) return null;
  const list = contract.status === 'canceled' ? null : usageBars(visit, contract.id, usage);
  const plots = usagePlots(visit, contract.terms.cycle, usage, periods);
  return list === null && plots === null ? null : section('usage', visit.t('contract.usage_title'), html`${list}${plots}`);
}

function includedSection({ t, format, language }: Visit, { features, currency }: Terms): Html | null {
  if (features.length === 0) return null;
  const columns = [{ title: t('contract.feature') }, { title: t('contract.bought') }, { title: t('contract.price') }];
  const rows = features.map((feature) => {
    const { name, price } = feature;
    const units = price !== null && isUnitPriced(price) ? format.number(boughtUnits(price)) : '–';
    return [name, units, featureWords({ t, format, language }, feature, currency)];
  });
  return section('included', t('contract.included_title'), table({ labelledBy: 'included', columns, rows }));
}
