import Stripe from 'stripe';
import { DAY, HOUR, type Instant, MINUTE } from '../../billing/calendar/instant.ts';
import { NEEDS_ACTION } from '../../billing/payment/types.ts';
import type { ChargeOutcome, Lookup, ProviderChargeRequest, RefundOutcome, RefundRequest } from '../port.ts';
import { OutcomeUnknown } from '../problem.ts';
import { call, translate } from './client.ts';
import { toMinorUnits } from './minor-units.ts';

/**
 * Takes money, with a customer who can confirm it at the bank or without. The same key gives the same response, however
 * often it is sent.
 */
export async function chargeAtCardproc(stripe: Stripe, request: ProviderChargeRequest): Promise<ChargeOutcome> {
  const { method, key } = request;
  const amount = toMinorUnits(request.amount, request.currency);
  if (typeof amount === 'string') return { status: 'failed', reference: null, reason: amount, retryable: false };
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount,
        currency: request.currency,
        ...(method.customerReference === null ? {} : { customer: method.customerReference }),
        payment_method: method.reference,
        allowed_payment_method_types: ['card', 'sepa_debit'],
        confirm: true,
        ...(request.returnUrl == null ? { off_session: true } : { return_url: request.returnUrl }),
        metadata: { attempt: key, invoice: request.subject },
      },
      { idempotencyKey: key },
    );
    return intentOutcome(intent, request.now);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal !== null) return refusal;
    throw translate(error);
  }
}

/** Declines that no retry can change: the card is gone, or the processor refuses for ever. */
const FINAL = new Set([
  'expired_card',
  'incorrect_number',
  'invalid_account',
  'lost_card',
  'pickup_card',
  'restricted_card',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'stolen_card',
  'stop_payment_order',
]);

const retryable = (reason: string): boolean => !FINAL.has(reason);

function refusalOf(error: unknown): ChargeOutcome | null {
  if (error instanceof Stripe.errors.StripeCardError) {
    const reason = error.decline_code ?? error.code ?? 'declined';
    return { status: 'failed', reference: error.payment_intent?.id ?? null, reason, retryable: retryable(reason) };
  }
  // a detached or unknown method: the call will be refused the same way for ever
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409) {
    const reason = error.code ?? (error.param === 'currency' ? 'currency_not_supported' : 'refused_by_provider');
    return { status: 'failed', reference: null, reason, retryable: false };
  }
  return null;
}

/** The outcome that a payment intent shows. */
export function intentOutcome(intent: Stripe.PaymentIntent, now: Instant): ChargeOutcome {
  const reference = intent.id;
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded', reference };
    case 'processing':
    case 'requires_capture':
      return { status: 'pending', reference, askAgainAt: now + DAY };
    case 'requires_action':
      if (pageOfIntent(intent) !== null) return { status: 'pending', reference, askAgainAt: now + HOUR, reason: NEEDS_ACTION };
      return { status: 'failed', reference, reason: NEEDS_ACTION, retryable: true };
    case 'requires_confirmation':
      return { status: 'failed', reference, reason: NEEDS_ACTION, retryable: true };
    case 'canceled':
      return { status: 'failed', reference, reason: intent.cancellation_reason ?? 'canceled', retryable: true };
    default: {
      const reason = intent.last_payment_error?.decline_code ?? intent.last_payment_error?.code ?? 'declined';
      return { status: 'failed', reference, reason, retryable: retryable(reason) };
    }
  }
}

/** Only a charge that was made with an address to come back to has such a page. */
export const pageOfIntent = (intent: Stripe.PaymentIntent): string | null => intent.next_action?.redirect_to_url?.url ?? null;

/**
 * The charge by its id, else among the customer's intents by our attempt's key: the list is exact at once, the search
 * index lags.
 */
export async function findIntent(stripe: Stripe, { reference, key, method }: Lookup): Promise<Stripe.PaymentIntent | null> {
  if (reference !== null) return call(() => stripe.paymentIntents.retrieve(reference));
  if (method.customerReference === null) return null;
  const list = stripe.paymentIntents.list({ customer: method.customerReference, limit: 100 });
  return call(async () => {
    for await (const intent of list) if (intent.metadata.attempt === key) return intent;
    return null;
  });
}

export async function lookUpAtCardproc(stripe: Stripe, lookup: Lookup): Promise<ChargeOutcome | null> {
  const intent = await findIntent(stripe, lookup);
  return intent === null ? null : decidedOutcome(intent, lookup.now);
}

/**
 * How long the call that made an intent may still be under way. Our own calls end after half a minute; the rest is a
 * margin.
 */
const UNDER_WAY_MS = 10 * MINUTE;

/**
 * The outcome of an intent that was looked up. We make and confirm one in a single call, so one that has come to
 * nothing and names no error is about to be confirmed.
 *
 * @throws OutcomeUnknown while the call that made it may be under way
 */
export function decidedOutcome(intent: Stripe.PaymentIntent, now: Instant): ChargeOutcome {
  const isUndecided =
    intent.status === 'requires_confirmation' ||
    (intent.status === 'requires_payment_method' && (intent.last_payment_error ?? null) === null);
  if (isUndecided && Date.now() - intent.created * 1000 < UNDER_WAY_MS)
    throw new OutcomeUnknown('The card processor is still working on this charge.');
  return intentOutcome(intent, now);
}

/**
 * The processor forgets a key after a day and would give back again, or refuse what is given back already; so a refund
 * that an earlier call made is looked for first.
 */
export async function refundAtCardproc(stripe: Stripe, { key, reference, ...refund }: RefundRequest): Promise<RefundOutcome> {
  const amount = toMinorUnits(refund.amount, refund.currency);
  if (typeof amount === 'string') return { status: 'failed', reason: amount };
  try {
    const made =
      (await findRefund(stripe, reference, key)) ??
      (await stripe.refunds.create({ payment_intent: reference, amount, metadata: { refund: key } }, { idempotencyKey: key }));
    const reason = refundFailure(made);
    return reason === null ? { status: 'succeeded', reference: made.id } : { status: 'failed', reason };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return { status: 'failed', reason: error.code ?? 'refused_by_provider' };
    throw translate(error);
  }
}

/** Why a refund has come to nothing; null: it is made, or on its way. */
export const refundFailure = ({ status, failure_reason }: Stripe.Refund): string | null =>
  status === 'failed' || status === 'canceled' ? (failure_reason ?? status) : null;

async function findRefund(stripe: Stripe, intent: string, key: string): Promise<Stripe.Refund | null> {
  for await (const made of stripe.refunds.list({ payment_intent: intent, limit: 100 })) if (made.metadata?.refund === key) return made;
  return null;
}
