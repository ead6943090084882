import type { CardprocConfig } from '../../config/payments.ts';
import type { Provider } from '../port.ts';
import { charge, lookup, refund } from './charge.ts';
import { call, connect } from './client.ts';
import { createSetup, readSetup } from './setup.ts';
import { readWebhook } from './webhook.ts';

/** The card processor: set-up intents, off-session payment intents with idempotency keys, signed webhooks. */
export function createCardproc(config: CardprocConfig): Provider {
  const stripe = connect(config);
  return {
    name: 'cardproc',
    charges: true,
    createSetup: (request) => createSetup(stripe, config, request),
    readSetup: ({ reference }) => readSetup(stripe, reference),
    charge: (request) => charge(stripe, request),
    lookup: (question) => lookup(stripe, question),
    refund: (request) => refund(stripe, request),
    detach: async ({ reference }) => {
      await call(() => stripe.paymentMethods.detach(reference));
    },
    readWebhook: (request) => readWebhook(stripe, config.webhookSecret, request, Date.now()),
  };
}
