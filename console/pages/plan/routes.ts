import { planVersion, planView } from '../../../services/console/plan.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { planContent, versionContent } from './view.ts';
import { catalogueName } from './words.ts';

/** Everything about one plan, and each of its versions. */
export const planPages = [onGet('/plan/:id', showPlan), onGet('/plan/:id/version/:number', showVersion)];

const NUMBER = /^\d{1,9}$/;
const numberOf = (text: string): number | null => (NUMBER.test(text) ? Number(text) : null);

async function showPlan(visit: Visit): Promise<ConsoleResponse> {
  const { query } = visit;
  const view = await planView(visit.db, visit.visitor.vendorId, visit.param('id'), numberOf(query('below')));
  return view === null ? noSuchPage : showPage({ title: catalogueName(view.plan), content: planContent(visit, view) });
}

async function showVersion(visit: Visit): Promise<ConsoleResponse> {
  const number = numberOf(visit.param('number'));
  const found = number === null ? null : await planVersion(visit.db, visit.visitor.vendorId, visit.param('id'), number);
  if (found === null) return noSuchPage;
  const { plan, version } = found;
  const title = visit.t('plan.version_of', { number: version.number, name: catalogueName(version.held) });
  return showPage({ title, content: versionContent(visit, plan, version) });
}
