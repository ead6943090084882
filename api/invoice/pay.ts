import { z } from 'zod';
import type { Tx } from '../../db/connect.ts';
import { openAttempt } from '../../db/payment/attempt.ts';
import { noteEffect } from '../../db/sql/idempotency/note-effect.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { payAndWait } from '../../services/payment/pay-and-wait.ts';
import { paidDetail } from '../example/support-invoice.ts';
import { route } from '../http/route.ts';
import { providerOf } from '../payment/provider.ts';
import { InvoiceId } from '../schema/common.ts';
import { InvoiceDetail } from '../schema/invoice.ts';
import { PayRequest } from '../schema/payment.ts';
import { showInvoice } from './show.ts';

export const payInvoiceRoute = route({
  method: 'post',
  path: '/v1/c/invoice/{invoice_id}/pay',
  operationId: 'pay_invoice',
  tag: 'Invoices',
  summary: 'Pay an invoice now',
  description:
    'Charges a method of the customer, or with `manual` records what was received outside, with a `reference`. Without a method the default one is charged. The wallet pays first. An attempt that the provider has not answered yet is `processing` in the response, and a declined one, which counts and may be retried, is `failed`: both are a 200.',
  scope: 'full',
  params: z.object({ invoice_id: InvoiceId }),
  body: PayRequest,
  bodyOptional: true,
  response: { 200: InvoiceDetail },
  errors: [
    ...(['invoice_not_found', 'invoice_state', 'payment_in_progress', 'payment_method_not_found', 'payment_method_state'] as const),
    ...(['customer_frozen', 'customer_erased', 'clock_advancing', 'provider_not_configured'] as const),
  ],
  example: { body: { method: 'manual', reference: 'bank transfer 2026-07-11' }, response: paidDetail },
  run: async ({ vendor, asker, params, body, idempotency }, deps) => {
    const request = { method: body.method ?? null, reference: body.reference ?? null };
    const pay = async (tx: Tx) => {
      if (idempotency !== null && !(await noteEffect(tx, idempotency))) {
        // an earlier request with this key has paid already, but its response was lost
        tx.audited.length = 0;
        return (await openAttempt(tx.em, params.invoice_id))?.id ?? null;
      }
      return payOnRequest(tx, vendor, params.invoice_id, request, (name) => void providerOf(deps.payments.providers, name));
    };
    await payAndWait(deps, pay, asker);
    return showInvoice(deps.db, deps.db.em(), vendor, params.invoice_id);
  },
});
