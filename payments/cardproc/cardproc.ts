import { MINUTE } from '../../billing/calendar/instant.ts';
import type { CardprocConfig } from '../../config/payments.ts';
import { askedAgain } from '../asked-again.ts';
import type { Provider } from '../port.ts';
import { chargeAtCardproc, lookUpAtCardproc, refundAtCardproc } from './charge.ts';
import { createCheckout, isCheckout, readCheckout } from './checkout.ts';
import { connectCardproc, isMissing } from './client.ts';
import { detachAtCardproc } from './detach.ts';
import { cardprocSecondStep } from './second-step.ts';
import { createCardprocSetup, readCardprocSetup } from './setup.ts';
import { readCardprocWebhook } from './webhook.ts';

/**
 * The card processor: set-up intents and its own pages for them, payment intents with idempotency keys, signed
 * webhooks.
 */
export function createCardproc(config: CardprocConfig): Provider {
  const stripe = connectCardproc(config);
  return {
    name: 'cardproc',
    charges: true,
    createSetup: (request) =>
      request.hosted === undefined
        ? createCardprocSetup(stripe, config, request)
        : createCheckout(stripe, config, { ...request, hosted: request.hosted }),
    readSetup: ({ reference }) => (isCheckout(reference) ? readCheckout(stripe, reference) : readCardprocSetup(stripe, reference)),
    secondStep: cardprocSecondStep(stripe),
    charge: (request) => chargeAtCardproc(stripe, request),
    shownWithin: 10 * MINUTE,
    lookup: (question) => askedAgain(() => lookUpAtCardproc(stripe, question), isMissing, question),
    refund: (request) => refundAtCardproc(stripe, request),
    detach: (method) => detachAtCardproc(stripe, method),
    readWebhook: (request) => readCardprocWebhook(stripe, config.webhookSecret, request, Date.now()),
  };
}
