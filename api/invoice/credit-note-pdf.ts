import { z } from 'zod';
import { Problem } from '../http/problem.ts';
import { FileResponse, route } from '../http/route.ts';
import { InvoiceId } from '../schema/common.ts';
import { CreditNoteId } from '../schema/payment.ts';

export const creditNotePdfRoute = route({
  method: 'get',
  path: '/v1/c/invoice/{invoice_id}/credit_note/{credit_note_id}/pdf',
  operationId: 'get_credit_note_pdf',
  tag: 'Invoices',
  summary: 'Print a credit note',
  description: 'A PDF, printed once and stored. Seller and buyer are those of the time when the credit note was written.',
  scope: 'read',
  params: z.object({ invoice_id: InvoiceId, credit_note_id: CreditNoteId }),
  response: { 200: z.string() },
  media: 'application/pdf',
  errors: ['invoice_not_found', 'credit_note_not_found'],
  example: {},
  run: async ({ vendor, params }, { pdfPrinter }) => {
    const pdf = await pdfPrinter.creditNote(vendor, params.invoice_id, params.credit_note_id);
    if (pdf === null) throw new Problem('credit_note_not_found');
    return new FileResponse(pdf.bytes, pdf.name);
  },
});
