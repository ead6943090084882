import { newestInvoices } from '../../../services/console/lists.ts';
import type { ConsoleResponse } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { listResponse } from '../filtered-list.ts';
import { invoiceTable } from '../invoice-table.ts';
import { placeAsked } from '../list-page.ts';

export const invoicesPages = [onGet('/invoices', showInvoices)];

/** As the API filters: what awaits review and what was thrown away before it have one status. */
const STATUSES = ['pending_validation', 'ready_for_payment', 'paid'] as const;

async function showInvoices(visit: Visit): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const filter = {
    customer: query('customer') || undefined,
    contract: query('contract') || undefined,
    status: STATUSES.find((one) => one === query('status')),
  };
  const page = await newestInvoices(visit.db, visit.visitor.vendorId, filter, { after: placeAsked(visit) });
  return listResponse(visit, {
    title: t('invoice.list_title'),
    texts: [
      { name: 'customer', label: t('customer.id') },
      { name: 'contract', label: t('contract.id') },
    ],
    choice: {
      name: 'status',
      label: t('invoice.status'),
      options: STATUSES.map((value) => ({ value, text: t(`invoice.filter_${value}`) })),
    },
    table: invoiceTable(visit, page.rows, true),
    next: page.next,
  });
}
