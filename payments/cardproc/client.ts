import Stripe from 'stripe';
import type { CardprocConfig } from '../../config/payments.ts';
import { OutcomeUnknown, ProviderUnavailable } from '../problem.ts';

const TIMEOUT_MS = 30_000;

/**
 * The processor's own library, without its retries: the caller decides what a call without a response means.
 */
export function connectCardproc(config: CardprocConfig): Stripe {
  const base = config.apiBase === null ? {} : addressOf(config.apiBase);
  return new Stripe(config.secretKey, {
    ...base,
    maxNetworkRetries: 0,
    timeout: TIMEOUT_MS,
    telemetry: false,
    ...(config.connectedAccount === null ? {} : { stripeAccount: config.connectedAccount }),
  });
}

function addressOf(apiBase: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const url = new URL(apiBase);
  const protocol = url.protocol === 'http:' ? 'http' : 'https';
  return { protocol, host: url.hostname, port: url.port || (protocol === 'http' ? '80' : '443') };
}

/**
 * What a thrown error says about whether the processor has done something. A refusal before anything was tried can be
 * repeated as it is; after a broken connection or a 5xx the outcome is unknown. Anything else is passed on.
 */
export function translate(error: unknown): unknown {
  if (error instanceof Stripe.errors.StripeRateLimitError || error instanceof Stripe.errors.StripeAuthenticationError) {
    return new ProviderUnavailable(`The card processor refused the call: ${error.type}.`, error);
  }
  // another call with the same key is still running
  if (error instanceof Stripe.errors.StripeError && error.statusCode === 409) {
    return new OutcomeUnknown('The card processor is still working on this call.', error);
  }
  if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError) {
    return new OutcomeUnknown('The card processor did not answer.', error);
  }
  return error;
}

/** Whether the account that our key belongs to doesn't have what was asked about. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

export async function call<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw translate(error);
  }
}
