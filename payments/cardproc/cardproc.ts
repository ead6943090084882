import type { CardprocConfig } from '../../config/payments.ts';
import type { Provider } from '../port.ts';
import { chargeAtCardproc, lookUpAtCardproc, refundAtCardproc } from './charge.ts';
import { call, connectCardproc } from './client.ts';
import { createCardprocSetup, readCardprocSetup } from './setup.ts';
import { readCardprocWebhook } from './webhook.ts';

/** The card processor: set-up intents, off-session payment intents with idempotency keys, signed webhooks. */
export function createCardproc(config: CardprocConfig): Provider {
  const stripe = connectCardproc(config);
  return {
    name: 'cardproc',
    charges: true,
    createSetup: (request) => createCardprocSetup(stripe, config, request),
    readSetup: ({ reference }) => readCardprocSetup(stripe, reference),
    charge: (request) => chargeAtCardproc(stripe, request),
    lookup: (question) => lookUpAtCardproc(stripe, question),
    refund: (request) => refundAtCardproc(stripe, request),
    detach: async ({ reference }) => {
      await call(() => stripe.paymentMethods.detach(reference));
    },
    readWebhook: (request) => readCardprocWebhook(stripe, config.webhookSecret, request, Date.now()),
  };
}
