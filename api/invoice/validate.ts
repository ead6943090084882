import { z } from 'zod';
import { validateInvoice } from '../../services/invoice/validate.ts';
import { validatedDetail } from '../example/support-invoice.ts';
import { route } from '../http/route.ts';
import { InvoiceId, Nothing } from '../schema/common.ts';
import { InvoiceDetail } from '../schema/invoice.ts';
import { showInvoice } from './show.ts';

export const validateInvoiceRoute = route({
  method: 'post',
  path: '/v1/c/invoice/{invoice_id}/validate',
  operationId: 'validate_invoice',
  tag: 'Invoices',
  summary: 'Validate an invoice',
  description: 'The invoice becomes final: from now on it is collected, and only credit notes correct it.',
  scope: 'full',
  params: z.object({ invoice_id: InvoiceId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: InvoiceDetail },
  errors: ['invoice_not_found', 'invoice_state', 'customer_frozen', 'customer_erased', 'clock_advancing'],
  example: { body: {}, response: validatedDetail },
  write: async ({ vendor, params, tx }) => {
    await validateInvoice(tx, vendor, params.invoice_id);
    return showInvoice(tx, tx.em, vendor, params.invoice_id);
  },
});
