import { portalPayments } from '../../../services/portal/payments.ts';
import { placeFrom } from '../../../services/portal/place.ts';
import { type PortalResponse, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { paymentsContent } from './view.ts';

/** What the customer has paid, or tried to pay. */
export const paymentPages = [onGet('/payments', showPayments)];

async function showPayments(visit: Visit): Promise<PortalResponse> {
  const { query } = visit;
  const after = placeFrom(query('after'));
  const page = await portalPayments(visit.db.em(), visit.visitor, after);
  return showPage({ title: visit.t('payments.title'), content: paymentsContent(visit, page, after === null) });
}
