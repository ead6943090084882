import { MINUTE } from '../../billing/calendar/instant.ts';
import type { AuthorizeConfig } from '../../config/payments.ts';
import { askedAgain } from '../asked-again.ts';
import type { Provider } from '../port.ts';
import { chargeAtAuthorize, lookUpAtAuthorize, refundAtAuthorize } from './charge.ts';
import { connectAuthorize, isUnknownRecord, pagesOfAuthorize } from './client.ts';
import { createAuthorizeSetup, detach, readAuthorizeSetup } from './setup.ts';
import { readAuthorizeWebhook, requireSignatureKey } from './webhook.ts';

/** Authorize.Net: customer profiles, hosted pages, charges of stored profiles, signed webhooks. */
export function createAuthorize(config: AuthorizeConfig): Provider {
  requireSignatureKey(config.signatureKey);
  const call = connectAuthorize(config);
  return {
    name: 'authorize',
    charges: true,
    createSetup: (request) => createAuthorizeSetup(call, pagesOfAuthorize(config), request),
    readSetup: (setup) => readAuthorizeSetup(call, setup),
    charge: (request) => chargeAtAuthorize(call, request),
    shownWithin: 10 * MINUTE,
    lookup: (question) => askedAgain(() => lookUpAtAuthorize(call, question), isUnknownRecord, question),
    refund: (request) => refundAtAuthorize(call, request),
    detach: (method) => detach(call, method),
    readWebhook: (request) => readAuthorizeWebhook(call, config.signatureKey, request, Date.now()),
  };
}
