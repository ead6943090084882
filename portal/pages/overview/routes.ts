import { portalOverview } from '../../../services/portal/overview.ts';
import { noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { overviewContent } from './view.ts';

/** The first page of a session. */
export const overview = onGet('', showOverview);

async function showOverview(visit: Visit): Promise<PortalResponse> {
  const overview = await portalOverview(visit.db, visit.visitor);
  if (overview === null) return noSuchPage;
  return showPage({ title: visit.customer.name || visit.t('overview.account_title'), content: overviewContent(visit, overview) });
}
