import { planName } from '../../../billing/contract/period/sources.ts';
import type { PortalContract } from '../../../services/portal/contracts.ts';
import type { NextCharge } from '../../../services/portal/next-charges.ts';
import { runningUsage } from '../../../services/portal/usage.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { section } from '../../parts/section.ts';
import { cycleWords, facts, statusBadge, waits } from './facts.ts';
import { usageBars } from './usage.ts';

/** A contract on the overview: plan, price, next charge, usage, what waits, and where to go on. */
export function contractCard(visit: Visit, placed: PortalContract, charge: NextCharge): Html {
  const { t } = visit;
  const { id, terms } = placed.contract;
  const plan = planName(terms);
  const page = `/portal/contract/${id}`;
  const mayChange = visit.customer.status !== 'inactive' && placed.change === null && placed.contract.status === 'active';
  const change = html`<a class="button" href="${page}/change" aria-label="${t('overview.change_of', { plan })}">${t('overview.change')}</a>`;
  const content = html`<p class="price">${cycleWords(visit, placed)}</p>
${waits(visit, placed)}
${facts(visit, placed, charge)}
${usageBars(visit, id, runningUsage(placed.contract, placed.used))}
<div class="actions"><a class="button" href="${page}" aria-label="${t('overview.details_of', { plan })}">${t('overview.details')}</a>${mayChange ? change : null}</div>`;
  return section(`plan-${id}`, plan, content, statusBadge(visit, placed));
}
