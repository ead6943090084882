import { customerView } from '../../../services/console/customer.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { placeAsked } from '../list-page.ts';
import { customerContent } from './view.ts';

/** Everything about one customer. */
export const customerPages = [onGet('/customer/:id', showCustomer)];

async function showCustomer(visit: Visit): Promise<ConsoleResponse> {
  const view = await customerView(visit.db, visit.visitor.vendorId, visit.param('id'), placeAsked(visit));
  if (view === null) return noSuchPage;
  return showPage({ title: view.customer.name || visit.t('customer.no_name'), content: customerContent(visit, view) });
}
