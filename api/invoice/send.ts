import { z } from 'zod';
import { sendInvoiceAgain } from '../../services/email/send-again.ts';
import { route } from '../http/route.ts';
import { InvoiceId, Nothing } from '../schema/common.ts';

export const sendInvoiceRoute = route({
  method: 'post',
  path: '/v1/c/invoice/{invoice_id}/send',
  operationId: 'send_invoice',
  tag: 'Invoices',
  summary: 'Send an invoice by e-mail again',
  description:
    'Queues the e-mail with the PDF once more; the customer’s history tells when it was sent. Where no e-mails are sent to this customer, a 400 says what to set.',
  scope: 'full',
  params: z.object({ invoice_id: InvoiceId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: null },
  errors: ['invoice_not_found', 'invoice_state'],
  example: { body: {} },
  write: async ({ vendor, params, tx }) => {
    await sendInvoiceAgain(tx, vendor, params.invoice_id);
    return null;
  },
});
