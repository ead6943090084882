import { outside } from './activities.ts';
import type { MethodOfRef, RefundRef } from './messages.ts';

/** Tells a provider to forget a method, until it has heard. */
export async function detachMethod({ methodId }: MethodOfRef): Promise<void> {
  await outside.detachAtProvider({ methodId });
}

/** Gives money back through the provider, or to the wallet when the provider can't. */
export async function refundPayment({ refundId }: RefundRef): Promise<void> {
  await outside.refundAtProvider({ refundId });
}
