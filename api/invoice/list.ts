import { at } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../../db/connect.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import { invoiceList } from '../../db/sql/invoice/list.ts';
import { countInvoiceLines, linesOfInvoices } from '../../db/sql/invoice/read-lines.ts';
import { inRounds } from '../../services/contract/in-rounds.ts';
import { upgradeHit } from '../example/invoice.ts';
import { pageOf } from '../example/page.ts';
import { fittingPage, howManyFit } from '../http/fitting.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { InvoicePage, InvoiceSearch } from '../schema/invoice.ts';
import { hitsToWire } from '../wire/invoice.ts';

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
    const read = (limit = query.limit) =>
      listPage<InvoiceRecord, InvoiceRecord>(deps, 'invoice', vendor, list, { ...query, limit }, (row) => row);
    const page = await fittingPage(read, (invoices) => fitting(deps.db, invoices));
    const lines = await linesOfInvoices(
      deps.db,
      page.hits.map(({ id }) => id),
    );
    return { ...page, hits: await inRounds(hitsToWire(page.hits, lines)) };
  },
});

/** The most lines on a page of several invoices. */
const PAGE_LINES = 5_000;

async function fitting(db: Queryable, invoices: readonly InvoiceRecord[]): Promise<number> {
  if (invoices.length < 2) return invoices.length;
  const lines = await countInvoiceLines(
    db,
    invoices.map(({ id }) => id),
  );
  return howManyFit(invoices.length, lines, PAGE_LINES);
}
