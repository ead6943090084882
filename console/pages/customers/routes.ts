import { SHORTEST_PART } from '../../../services/console/find.ts';
import { newestCustomers } from '../../../services/console/lists.ts';
import type { ConsoleResponse } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { listResponse } from '../filtered-list.ts';
import { placeAsked } from '../list-page.ts';
import { customerTable } from './view.ts';

export const customersPages = [onGet('/customers', showCustomers)];

const STATUSES = ['active', 'inactive', 'temporary'] as const;

async function showCustomers(visit: Visit): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const part = query('search');
  const status = STATUSES.find((one) => one === query('status'));
  const filter = { status, ...(part.length < SHORTEST_PART ? { reference: part || undefined } : { search: part }) };
  const page = await newestCustomers(visit.db, visit.visitor.vendorId, filter, { after: placeAsked(visit) });
  return listResponse(visit, {
    title: t('customer.list_title'),
    texts: [{ name: 'search', label: t('customer.filter') }],
    choice: {
      name: 'status',
      label: t('customer.status'),
      options: STATUSES.map((value) => ({ value, text: t(`words.customer_${value}`) })),
    },
    table: customerTable(visit, page.rows),
    next: page.next,
  });
}
