import { newestContracts } from '../../../services/console/lists.ts';
import type { ConsoleResponse } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractTable } from '../contract-table.ts';
import { listResponse } from '../filtered-list.ts';
import { placeAsked } from '../list-page.ts';

export const contractsPages = [onGet('/contracts', showContracts)];

const STATUSES = ['not_ready', 'scheduled', 'pending', 'active', 'moved', 'canceled'] as const;

async function showContracts(visit: Visit): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const filter = { customer: query('customer') || undefined, status: STATUSES.find((one) => one === query('status')) };
  const page = await newestContracts(visit.db, visit.visitor.vendorId, filter, { after: placeAsked(visit) });
  return listResponse(visit, {
    title: t('contract.list_title'),
    texts: [{ name: 'customer', label: t('customer.id') }],
    choice: {
      name: 'status',
      label: t('contract.status'),
      options: STATUSES.map((value) => ({ value, text: t(`words.contract_${value}`) })),
    },
    table: contractTable(visit, page.rows, true),
    next: page.next,
  });
}
