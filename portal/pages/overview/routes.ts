import { portalOverview } from '../../../services/portal/overview.ts';
import { placeFrom } from '../../../services/portal/place.ts';
import { type PortalResponse, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { overviewContent } from './view.ts';

/** The first page of a session. */
export const overview = onGet('', showOverview);

async function showOverview(visit: Visit): Promise<PortalResponse> {
  const { query } = visit;
  const after = placeFrom(query('after'));
  const found = await portalOverview(visit.db, visit.visitor, { now: visit.now, resumeAt: visit.customer.resumeAt }, after);
  return showPage({
    title: visit.customer.name || visit.t('overview.account_title'),
    content: overviewContent(visit, found, after === null),
  });
}
