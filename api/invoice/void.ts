import { z } from 'zod';
import { voidInvoice } from '../../services/invoice/validate.ts';
import { voidedDetail } from '../example/support-invoice.ts';
import { route } from '../http/route.ts';
import { InvoiceId, Nothing } from '../schema/common.ts';
import { InvoiceDetail } from '../schema/invoice.ts';
import { showInvoice } from './show.ts';

export const voidInvoiceRoute = route({
  method: 'post',
  path: '/v1/c/invoice/{invoice_id}/void',
  operationId: 'void_invoice',
  tag: 'Invoices',
  summary: 'Void an invoice that waits for validation',
  description:
    'Its number stays used and nothing is owed for it; its items are invoiced again only where `POST /v1/c/invoice` names them. Refused while a change or a correction gives back one of its items on another invoice.',
  scope: 'full',
  params: z.object({ invoice_id: InvoiceId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: InvoiceDetail },
  errors: ['invoice_not_found', 'invoice_state', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: {}, response: voidedDetail },
  write: async ({ vendor, params, tx }) => {
    await voidInvoice(tx, vendor, params.invoice_id);
    return showInvoice(tx, tx.em, vendor, params.invoice_id);
  },
});
