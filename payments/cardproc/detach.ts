import Stripe from 'stripe';
import type { MethodRef } from '../port.ts';
import { call, translate } from './client.ts';

const { StripeInvalidRequestError } = Stripe.errors;

/**
 * The processor refuses a method that belongs to nobody any more: then an earlier call has detached it, and nothing is
 * left to do.
 */
export async function detachAtCardproc(stripe: Stripe, { reference }: MethodRef): Promise<void> {
  try {
    await stripe.paymentMethods.detach(reference);
  } catch (error) {
    if (!(error instanceof StripeInvalidRequestError) || (await isAttached(stripe, reference))) throw translate(error);
  }
}

async function isAttached(stripe: Stripe, reference: string): Promise<boolean> {
  try {
    const { customer } = await call(() => stripe.paymentMethods.retrieve(reference));
    return customer !== null;
  } catch (error) {
    if (error instanceof StripeInvalidRequestError && error.code === 'resource_missing') return false;
    throw error;
  }
}
