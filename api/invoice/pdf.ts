import { z } from 'zod';
import { Problem } from '../http/problem.ts';
import { FileResponse, route } from '../http/route.ts';
import { InvoiceId } from '../schema/common.ts';

export const invoicePdfRoute = route({
  method: 'get',
  path: '/v1/c/invoice/{invoice_id}/pdf',
  operationId: 'get_invoice_pdf',
  tag: 'Invoices',
  summary: 'Print an invoice',
  description:
    'A PDF, printed once and stored; printed again when something was paid or credited since. Seller and buyer are those of the time when the invoice was made.',
  scope: 'read',
  params: z.object({ invoice_id: InvoiceId }),
  response: { 200: z.string() },
  media: 'application/pdf',
  errors: ['invoice_not_found'],
  example: {},
  run: async ({ vendor, params }, { pdfPrinter }) => {
    const pdf = await pdfPrinter.invoice(vendor, params.invoice_id);
    if (pdf === null) throw new Problem('invoice_not_found');
    return new FileResponse(pdf.bytes, pdf.name);
  },
});
