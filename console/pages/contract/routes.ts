import { planName } from '../../../billing/contract/period/sources.ts';
import { contractView } from '../../../services/console/contract.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractContent } from './view.ts';

/** Everything about one contract. */
export const contractPages = [onGet('/contract/:id', showContract)];

async function showContract(visit: Visit): Promise<ConsoleResponse> {
  const view = await contractView(visit.db, visit.visitor.vendorId, visit.param('id'));
  if (view === null) return noSuchPage;
  return showPage({ title: planName(view.detail.contract.terms), content: contractContent(visit, view) });
}
