import { z } from 'zod';
import { creditsOfInvoices } from '../../db/sql/credit/credits-of-invoices.ts';
import { readInvoice } from '../../db/sql/invoice/read.ts';
import { linesOfInvoices } from '../../db/sql/invoice/read-lines.ts';
import { inRounds } from '../../services/contract/in-rounds.ts';
import { upgradeExplained } from '../example/invoice.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { InvoiceId } from '../schema/common.ts';
import { Explanation } from '../schema/invoice.ts';
import { explanationToWire } from '../wire/explanation.ts';

export const explainInvoiceRoute = route({
  method: 'get',
  path: '/v1/c/invoice/{invoice_id}/explain',
  operationId: 'explain_invoice',
  tag: 'Invoices',
  summary: 'Explain each line of an invoice',
  description:
    'Period, quantity, price and its version, ratio as a fraction of milliseconds, discount, tax and rounding: enough to compute the amount by hand; and what each credit grant has paid of it.',
  scope: 'read',
  params: z.object({ invoice_id: InvoiceId }),
  response: { 200: Explanation },
  errors: ['invoice_not_found'],
  example: { response: upgradeExplained },
  run: async ({ vendor, params }, { db }) => {
    const invoice = await readInvoice(db, vendor, params.invoice_id);
    if (invoice === null) throw new Problem('invoice_not_found');
    const lines = await linesOfInvoices(db, [invoice.id]);
    return inRounds(explanationToWire(invoice, lines.get(invoice.id) ?? [], await creditsOfInvoices(db, [invoice.id])));
  },
});
