import { html } from '../../../portal/parts/html.ts';
import { archiveEffect } from '../../../services/console/plan.ts';
import { callApi } from '../../http/call.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { planAddress } from '../links.ts';
import { catalogueName } from '../plan/words.ts';
import { confirmPage } from './confirm.ts';

/** Archives a plan: it isn't sold any more. */
export const planActs = onAct('/plan/:id/archive', askToArchive, archive, []);

async function askToArchive(visit: Visit): Promise<ConsoleResponse> {
  const { t, db, visitor, param } = visit;
  const found = await archiveEffect(db, visitor.vendorId, param('id'));
  if (found === null) return noSuchPage;
  const { plan, contracts, isCut, moves } = found;
  const isSold = plan.status === 'active';
  const effect = html`<p>${t('plan.archive_text')}</p>
<p>${t(isCut ? 'plan.archive_contracts_cut' : 'plan.archive_contracts', { count: contracts })}</p>
${moves === 0 ? null : html`<p>${t('plan.archive_moves', { count: moves })}</p>`}<p><strong>${t('plan.archive_for_good')}</strong></p>`;
  return confirmPage(visit, {
    title: t('plan.archive'),
    up: { to: planAddress(plan.id), title: catalogueName(plan) },
    effect: isSold ? effect : html`<p>${t('plan.archive_not')}</p>`,
    button: isSold ? t('plan.archive') : null,
  });
}

async function archive(visit: Visit): Promise<ConsoleResponse> {
  const id = visit.param('id');
  const called = await callApi(visit, 'archive_plan', { params: { plan_id: id } });
  return 'problems' in called ? noSuchPage : goTo(planAddress(id), { key: 'plan.archived' });
}
