import { z } from 'zod';
import { upgradeDetail } from '../example/invoice.ts';
import { route } from '../http/route.ts';
import { InvoiceId } from '../schema/common.ts';
import { InvoiceDetail } from '../schema/invoice.ts';
import { showInvoice } from './show.ts';

export const readInvoiceRoute = route({
  method: 'get',
  path: '/v1/c/invoice/{invoice_id}',
  operationId: 'get_invoice',
  tag: 'Invoices',
  summary: 'Read an invoice',
  description: 'With its items, each attempt to pay it, its credit notes and disputes.',
  scope: 'read',
  params: z.object({ invoice_id: InvoiceId }),
  response: { 200: InvoiceDetail },
  errors: ['invoice_not_found'],
  example: { response: upgradeDetail },
  run: ({ vendor, params }, { db }) => showInvoice(db, db.em(), vendor, params.invoice_id),
});
