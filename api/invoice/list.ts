import { at } from '../../billing/calendar/instant.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import { invoiceList } from '../../db/sql/invoice/list.ts';
import { linesOfInvoices } from '../../db/sql/invoice/read-lines.ts';
import { upgradeHit } from '../example/invoice.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { InvoicePage, InvoiceSearch } from '../schema/invoice.ts';
import { hitToWire } from '../wire/invoice.ts';

export const listInvoicesRoute = route({
  method: 'get',
  path: '/v1/c/invoice',
  operationId: 'list_invoices',
  tag: 'Invoices',
  summary: 'List invoices',
  description:
    'Oldest first, each with its lines and what is left to pay; an invoice must match all given filters. `date_after` includes its instant, `date_before` does not.',
  scope: 'read',
  query: InvoiceSearch,
  response: { 200: InvoicePage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([upgradeHit]) },
  run: async ({ vendor, query }, deps) => {
    const list = invoiceList(vendor, {
      ...query,
      after: query.date_after === undefined ? undefined : at(query.date_after),
      before: query.date_before === undefined ? undefined : at(query.date_before),
    });
    const page = await listPage<InvoiceRecord, InvoiceRecord>(deps, 'invoice', vendor, list, query, (row) => row);
    const lines = await linesOfInvoices(
      deps.db,
      page.hits.map(({ id }) => id),
    );
    return { ...page, hits: page.hits.map((invoice) => hitToWire(invoice, lines.get(invoice.id) ?? [])) };
  },
});
