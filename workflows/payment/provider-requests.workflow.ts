import { CancellationScope, defineSignal, setHandler } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment/index.ts';
import { outsideActivities } from '../activities.ts';
import { CHANGED_SIGNAL } from '../messages.ts';
import type { DetachInput, RefundRef } from './messages.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);
const { detachAtProvider, refundAtProvider } = outsideActivities<PaymentActivities>();

/** Asks a provider to delete a payment method, until the provider has answered. */
export async function detachMethod({ methodId }: DetachInput): Promise<void> {
  setHandler(changedSignal, () => undefined);
  await CancellationScope.nonCancellable(() => detachAtProvider({ methodId }));
}

/** Gives money back through the provider, or to the wallet when the provider can't. */
export async function refundPayment({ refundId }: RefundRef): Promise<void> {
  setHandler(changedSignal, () => undefined);
  await CancellationScope.nonCancellable(() => refundAtProvider({ refundId }));
}
