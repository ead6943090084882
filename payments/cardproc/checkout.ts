import type Stripe from 'stripe';
import type { HostedSetup, Setup, SetupOutcome, SetupRequest } from '../port.ts';
import { call } from './client.ts';
import { type CardprocKeys, customerFor, setupIntentOutcome } from './setup.ts';

/** The ids of the processor's own pages begin so, those of set-up intents differently. */
export const isCheckout = (reference: string): boolean => reference.startsWith('cs_');

/** Opens the processor's own page, on which the customer enters the card. */
export async function createCheckout(stripe: Stripe, keys: CardprocKeys, request: SetupRequest & { hosted: HostedSetup }): Promise<Setup> {
  const customer = await customerFor(stripe, request);
  const { returnUrl, cancelUrl, currency } = request.hosted;
  const metadata = { payment_session: request.token, customer: request.customerId };
  const made = await call(() =>
    stripe.checkout.sessions.create(
      {
        mode: 'setup',
        customer,
        currency,
        allowed_payment_method_types: ['card', 'sepa_debit'],
        billing_address_collection: request.address ? 'required' : 'auto',
        success_url: returnUrl,
        cancel_url: cancelUrl,
        metadata,
        setup_intent_data: { metadata },
      },
      { idempotencyKey: `checkout.${request.token}` },
    ),
  );
  if (made.url === null) throw new Error(`the card processor gave page ${made.id} no address`);
  return {
    reference: made.id,
    customerReference: customer,
    clientSecret: null,
    connectedAccountId: keys.connectedAccount,
    publishableKey: keys.publishableKey,
    page: { url: made.url, fields: null },
  };
}

export async function readCheckout(stripe: Stripe, reference: string): Promise<SetupOutcome> {
  const found = await call(() => stripe.checkout.sessions.retrieve(reference, { expand: ['setup_intent.payment_method'] }));
  if (found.status === 'expired') return { status: 'failed', reason: 'expired' };
  const intent = found.setup_intent;
  return intent === null || typeof intent === 'string' ? { status: 'pending', reason: null } : setupIntentOutcome(intent);
}
