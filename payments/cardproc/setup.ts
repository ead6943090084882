import { hash } from 'node:crypto';
import type Stripe from 'stripe';
import type { MethodType, NewMethod, Setup, SetupOutcome, SetupRequest } from '../port.ts';
import { call } from './client.ts';

const CONTENT_LENGTH = 16;

export interface CardprocKeys {
  publishableKey: string;
  connectedAccount: string | null;
}

/**
 * A set-up intent the customer's browser finishes with the client secret; the card goes from there to the processor,
 * never through us.
 */
export async function createCardprocSetup(stripe: Stripe, keys: CardprocKeys, request: SetupRequest): Promise<Setup> {
  const customer = await customerFor(stripe, request);
  const intent = await call(() =>
    stripe.setupIntents.create(
      {
        customer,
        usage: 'off_session',
        allowed_payment_method_types: ['card', 'sepa_debit'],
        metadata: { payment_session: request.token, customer: request.customerId },
      },
      { idempotencyKey: `setup.${request.token}` },
    ),
  );
  return {
    reference: intent.id,
    customerReference: customer,
    clientSecret: intent.client_secret,
    connectedAccountId: keys.connectedAccount,
    publishableKey: keys.publishableKey,
  };
}

/**
 * The processor's customer, made where there is none yet. Its name and e-mail may have changed since a session that
 * broke off, and the processor refuses a key that it knows with another content: both are in the key.
 */
export async function customerFor(stripe: Stripe, request: SetupRequest): Promise<string> {
  const { customerReference, customerId, customerName, email } = request;
  if (customerReference !== null) return customerReference;
  const content = hash('sha256', JSON.stringify([customerName, email])).slice(0, CONTENT_LENGTH);
  const customer = await call(() =>
    stripe.customers.create(
      { name: customerName, ...(email === null ? {} : { email }), metadata: { customer: customerId } },
      { idempotencyKey: `customer.${customerId}.${content}` },
    ),
  );
  return customer.id;
}

export async function readCardprocSetup(stripe: Stripe, reference: string): Promise<SetupOutcome> {
  return setupIntentOutcome(await call(() => stripe.setupIntents.retrieve(reference, { expand: ['payment_method'] })));
}

/** The outcome that a set-up intent with its expanded method shows. */
export function setupIntentOutcome(intent: Stripe.SetupIntent): SetupOutcome {
  if (intent.status === 'canceled') return { status: 'failed', reason: intent.cancellation_reason ?? 'canceled' };
  if (intent.status !== 'succeeded') return { status: 'pending', reason: intent.last_setup_error?.code ?? null };
  const method = intent.payment_method;
  if (method === null || typeof method === 'string') throw new Error(`set-up ${intent.id} came without its method`);
  const type = TYPES[method.type];
  // another program may set it up on the same account, and its notices come here, too
  if (type === undefined) return { status: 'failed', reason: 'method_type_not_offered' };
  return { status: 'succeeded', method: methodOf(method, type, stripeIdOf(intent.customer)) };
}

const TYPES: Readonly<Record<string, MethodType>> = { card: 'card', sepa_debit: 'sepa_debit', customer_balance: 'vban_bank_transfer_eu' };

function methodOf(method: Stripe.PaymentMethod, type: MethodType, customerReference: string | null): NewMethod {
  return {
    reference: method.id,
    customerReference,
    type,
    details: {
      brand: method.card?.brand ?? null,
      last4: method.card?.last4 ?? method.sepa_debit?.last4 ?? null,
      expMonth: method.card?.exp_month ?? null,
      expYear: method.card?.exp_year ?? null,
    },
    holderName: method.billing_details.name,
  };
}

export const stripeIdOf = (value: string | { id: string } | null | undefined): string | null =>
  value == null ? null : typeof value === 'string' ? value : value.id;
