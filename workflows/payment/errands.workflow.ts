import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { outside, step } from './activities.ts';
import type { MethodOfRef, RefundRef, SessionRef } from './messages.ts';

/** Ends a payment session nobody has finished, on the wall clock; on a test clock the clock does. */
export async function expireSession({ token }: SessionRef): Promise<void> {
  for (;;) {
    const { expires } = await step((activities) => activities.sessionEnd({ token }));
    if (expires === null) return;
    setCurrentDetails(`Payment session \`${token}\` expires at ${new Date(expires).toISOString()}`);
    await sleep(Math.max(1, expires - Date.now()), { summary: 'session expires' });
    await outside.endSession({ token });
  }
}

/** Tells a provider to forget a method, until it has heard. */
export async function detachMethod({ methodId }: MethodOfRef): Promise<void> {
  await outside.detachAtProvider({ methodId });
}

/** Gives money back through the provider, or to the wallet when the provider can't. */
export async function refundPayment({ refundId }: RefundRef): Promise<void> {
  await outside.refundAtProvider({ refundId });
}
