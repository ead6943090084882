import { z } from 'zod';
import { creditNotesOfInvoice, linesOfInvoices, paymentsOfInvoice, readInvoice } from '../../db/invoice/read.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { presentCreditNote, presentHit, presentPayment } from '../present/invoice.ts';
import { InvoiceId } from '../schema/common.ts';
import { InvoiceDetail } from '../schema/invoice.ts';

export const readInvoiceRoute = route({
  method: 'get',
  path: '/v1/c/invoice/{invoice_id}',
  operationId: 'get_invoice',
  tag: 'Invoices',
  summary: 'Read an invoice',
  description: 'With its items, each attempt to pay it and its credit notes.',
  scope: 'read',
  params: z.object({ invoice_id: InvoiceId }),
  answer: { 200: InvoiceDetail },
  errors: ['invoice_not_found'],
  example: {},
  run: async ({ vendor, params }, { db }) => {
    const invoice = await readInvoice(db, vendor, params.invoice_id);
    if (invoice === null) throw new Problem('invoice_not_found');
    const [lines, payments, notes] = await Promise.all([
      linesOfInvoices(db, [invoice.id]),
      paymentsOfInvoice(db, invoice.id),
      creditNotesOfInvoice(db, invoice.id),
    ]);
    return {
      ...presentHit(invoice, lines.get(invoice.id) ?? []),
      payments: payments.map((payment) => presentPayment(payment, invoice.currency)),
      credit_notes: notes.map((note) => presentCreditNote(note, invoice.currency)),
    };
  },
});
