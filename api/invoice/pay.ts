import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Tx } from '../../db/connect.ts';
import { noteEffect } from '../../db/idempotency/answer.ts';
import { attemptById, openAttempt } from '../../db/payment/attempt.ts';
import { type Paid, payOnRequest } from '../../db/payment/pay.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { route } from '../http/route.ts';
import { providerOf } from '../payment/provider.ts';
import { InvoiceId } from '../schema/common.ts';
import { InvoiceDetail } from '../schema/invoice.ts';
import { PayRequest } from '../schema/payment.ts';
import { showInvoice } from './show.ts';

/** An answer of the provider mostly comes within a second; later ones are read from the invoice. */
const PATIENCE = 5_000;
const LOOK_EVERY = 40;

export const payInvoiceRoute = route({
  method: 'post',
  path: '/v1/c/invoice/{invoice_id}/pay',
  operationId: 'pay_invoice',
  tag: 'Invoices',
  summary: 'Pay an invoice now',
  description:
    'By a method of the customer, or `manual` to record what was received outside, with a `reference`. Without a method the default one is charged. The wallet pays first. An attempt the provider has not answered yet is `processing` in the answer.',
  scope: 'full',
  params: z.object({ invoice_id: InvoiceId }),
  body: PayRequest,
  bodyOptional: true,
  answer: { 200: InvoiceDetail },
  errors: [
    ...(['invoice_not_found', 'invoice_state', 'payment_in_progress', 'payment_method_not_found', 'payment_method_state'] as const),
    ...(['customer_frozen', 'clock_advancing', 'provider_not_configured'] as const),
  ],
  example: { body: { method: 'manual', reference: 'bank transfer 2026-01-15' } },
  run: async ({ vendor, params, body, idempotency }, deps) => {
    const wish = { method: body.method ?? null, reference: body.reference ?? null };
    const { attemptId, wishes } = await deps.db.transaction(async (tx) => {
      // it was paid by a call that broke off before its answer
      if (idempotency !== null && !(await noteEffect(tx, idempotency))) return underWay(tx, params.invoice_id);
      return payOnRequest(tx, vendor, params.invoice_id, wish, (name) => {
        const provider = providerOf(deps.payments.providers, name);
        return (attempt) => deps.payments.providers.keyOf(provider.name, attempt);
      });
    });
    await deps.contracts.deliver(wishes).catch((error: unknown) => deps.log.warn({ err: error }, 'wishes were left to the relay'));
    if (attemptId !== null) await untilAnswered(deps, attemptId);
    return showInvoice(deps.db, vendor, params.invoice_id);
  },
});

async function underWay(tx: Tx, invoiceId: string): Promise<Paid> {
  const open = await openAttempt(tx, invoiceId);
  return { attemptId: open?.id ?? null, wishes: [] };
}

async function untilAnswered({ db }: Dependencies, attemptId: string): Promise<void> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; await pause(LOOK_EVERY)) {
    const attempt = await attemptById(db, attemptId);
    if (attempt === null || attempt.status !== 'processing' || attempt.askAt !== null) return;
  }
}
