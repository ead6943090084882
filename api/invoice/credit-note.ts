import { z } from 'zod';
import { createCreditNote } from '../../services/credit-note/create.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { InvoiceId } from '../schema/common.ts';
import { CreditNoteId, CreditNoteRequest } from '../schema/payment.ts';

export const creditInvoiceRoute = route({
  method: 'post',
  path: '/v1/c/invoice/{invoice_id}/credit_note',
  operationId: 'create_credit_note',
  tag: 'Invoices',
  summary: 'Write a credit note',
  description:
    'Gives back items of a validated invoice, in whole or in part. It first lowers what is unpaid; the rest goes to the wallet, or back to the payment method up to what was paid in money.',
  scope: 'full',
  params: z.object({ invoice_id: InvoiceId }),
  body: CreditNoteRequest,
  response: { 201: CreditNoteId },
  errors: [
    'invoice_not_found',
    'invoice_item_not_found',
    'invoice_state',
    'payment_in_progress',
    'customer_frozen',
    'customer_erased',
    'clock_advancing',
  ],
  example: {
    body: { items: [{ invoice_item_id: ids.line, amount: '20.00' }], to: 'wallet', notes: 'outage on 10 June' },
    response: ids.creditNote,
  },
  write: async ({ vendor, params, body, tx }) => {
    const items = body.items.map(({ invoice_item_id: lineId, amount }) => ({ lineId, amount: amount ?? null }));
    return createCreditNote(tx, vendor, params.invoice_id, { to: body.to, items, notes: body.notes ?? null });
  },
});
