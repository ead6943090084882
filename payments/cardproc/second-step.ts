import Stripe from 'stripe';
import { askedAgain } from '../asked-again.ts';
import type { ChargeOutcome, Lookup, SecondStep } from '../port.ts';
import { decidedOutcome, findIntent, pageOfIntent } from './charge.ts';
import { isMissing, translate } from './client.ts';

/** 3-D Secure: the processor's page leads to the customer's bank and from there back to us. */
export const cardprocSecondStep = (stripe: Stripe): SecondStep => ({
  async pageOf(charge) {
    const intent = await findIntent(stripe, charge).catch(noneIfMissing);
    return intent?.status === 'requires_action' ? pageOfIntent(intent) : null;
  },
  giveUp: (charge) => askedAgain(() => giveUp(stripe, charge), isMissing, charge),
});

async function giveUp(stripe: Stripe, charge: Lookup): Promise<ChargeOutcome | null> {
  const intent = await findIntent(stripe, charge);
  if (intent === null) return null;
  return decidedOutcome(intent.status === 'requires_action' ? await cancel(stripe, intent) : intent, charge.now);
}

/** A charge that was confirmed at the last moment can't be canceled any more, and then counts as it is. */
async function cancel(stripe: Stripe, { id }: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' });
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return stripe.paymentIntents.retrieve(id);
    throw translate(error);
  }
}

function noneIfMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
