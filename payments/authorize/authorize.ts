import type { AuthorizeConfig } from '../../config/payments.ts';
import type { Provider } from '../port.ts';
import { charge, lookup, refund } from './charge.ts';
import { connect } from './client.ts';
import { createSetup, detach, readSetup } from './setup.ts';
import { readWebhook, requireSignatureKey } from './webhook.ts';

/** Authorize.Net: customer profiles, hosted pages, charges of stored profiles, signed webhooks. */
export function createAuthorize(config: AuthorizeConfig): Provider {
  requireSignatureKey(config.signatureKey);
  const call = connect(config);
  return {
    name: 'authorize',
    charges: true,
    createSetup: (request) => createSetup(call, request),
    readSetup: (setup) => readSetup(call, setup),
    charge: (request) => charge(call, request),
    lookup: (question) => lookup(call, question),
    refund: (request) => refund(call, request),
    detach: (method) => detach(call, method),
    readWebhook: (request) => readWebhook(call, config.signatureKey, request, Date.now()),
  };
}
