import type Stripe from 'stripe';
import { type Instant, MINUTE } from '../../billing/calendar/instant.ts';
import { isCurrency } from '../../billing/money/currency.ts';
import type { Notice, WebhookRequest } from '../port.ts';
import { WebhookRefused } from '../problem.ts';
import { intentOutcome as chargeOutcome, refundFailure } from './charge.ts';
import { readCheckout } from './checkout.ts';
import { fromMinorUnits } from './minor-units.ts';
import { readCardprocSetup, stripeIdOf } from './setup.ts';

/** Verifies the signature over the exact bytes, then reads the kinds of events that matter here; others are ignored. */
export async function readCardprocWebhook(stripe: Stripe, secret: string, request: WebhookRequest, now: Instant): Promise<Notice[]> {
  const event = verified(stripe, secret, request, now);
  const notice = await noticeOf(stripe, event, now);
  return notice === null ? [] : [notice];
}

/** How far the processor's clock may be from ours, either way. */
const TOLERANCE_MS = 5 * MINUTE;

function verified(stripe: Stripe, secret: string, { body, header }: WebhookRequest, now: Instant): Stripe.Event {
  const signature = header('stripe-signature');
  const event = authentic(() => stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_MS / 1000, undefined, now));
  // the library refuses old dates only; a notice dated ahead could be stored and sent again for as long
  if (!(signedAt(signature) <= now + TOLERANCE_MS)) throw new WebhookRefused('The webhook is dated ahead.');
  return event;
}

function authentic(verify: () => Stripe.Event): Stripe.Event {
  try {
    return verify();
  } catch {
    throw new WebhookRefused('The signature of the webhook is not valid.');
  }
}

/** Where there are several dates, the last one is the one that was signed. */
const signedAt = (signature: string): Instant =>
  Number.parseInt(
    signature
      .split(',')
      .findLast((part) => part.startsWith('t='))
      ?.slice(2) ?? '',
    10,
  ) * 1000;

async function noticeOf(stripe: Stripe, event: Stripe.Event, now: Instant): Promise<Notice | null> {
  const { id } = event;
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.canceled': {
      const intent = event.data.object;
      return { id, type: 'charge', key: intent.metadata.attempt ?? null, reference: intent.id, outcome: chargeOutcome(intent, now) };
    }
    case 'setup_intent.succeeded':
    case 'setup_intent.canceled': {
      const intent = event.data.object;
      // the event carries the method's id only
      return {
        id,
        type: 'setup',
        reference: intent.id,
        customerReference: stripeIdOf(intent.customer),
        outcome: await readCardprocSetup(stripe, intent.id),
      };
    }
    case 'checkout.session.completed':
    case 'checkout.session.expired': {
      const { id: reference, mode, customer } = event.data.object;
      if (mode !== 'setup') return null;
      return { id, type: 'setup', reference, customerReference: stripeIdOf(customer), outcome: await readCheckout(stripe, reference) };
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundNotice(event, event.data.object);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_reinstated':
      return disputeNotice(event, event.data.object);
    case 'payment_method.detached':
      return { id, type: 'method_detached', methodReference: event.data.object.id };
    default:
      return null;
  }
}

const DISPUTE_STATES: Readonly<Record<string, 'won' | 'lost'>> = { won: 'won', lost: 'lost', prevented: 'lost' };

const madeKnown = ({ id, created }: Stripe.Event): { id: string; at: Instant } => ({ id, at: created * 1000 });

/** One that is on its way counts as made, until its bank doesn't take the money. */
function refundNotice(event: Stripe.Event, refund: Stripe.Refund): Notice | null {
  const chargeReference = stripeIdOf(refund.payment_intent);
  const { currency, metadata } = refund;
  if (chargeReference === null || !isCurrency(currency)) return null;
  const amount = fromMinorUnits(refund.amount, currency);
  const key = metadata?.refund ?? null;
  return {
    ...madeKnown(event),
    type: 'refund',
    key,
    chargeReference,
    reference: refund.id,
    amount,
    currency,
    failure: refundFailure(refund),
  };
}

/**
 * A bank's inquiries (`warning_…`) take no money, and may end without: they are no disputes yet. One that becomes a
 * dispute keeps its id and is reported as an update. A dispute that was `prevented` is settled for good: where money
 * was withdrawn for it, that is lost, and where none was, nothing has happened.
 */
function disputeNotice(event: Stripe.Event, dispute: Stripe.Dispute): Notice | null {
  const chargeReference = stripeIdOf(dispute.payment_intent);
  const { currency, reason } = dispute;
  if (chargeReference === null || !isCurrency(currency) || dispute.status.startsWith('warning_')) return null;
  if (dispute.status === 'prevented' && dispute.balance_transactions.length === 0) return null;
  return {
    ...madeKnown(event),
    type: 'dispute',
    chargeReference,
    reference: dispute.id,
    amount: fromMinorUnits(dispute.amount, currency),
    currency,
    state: DISPUTE_STATES[dispute.status] ?? 'open',
    reason,
  };
}
