import { defineSignal, setHandler } from '@temporalio/workflow';
import type { PaymentActivities } from '../../activities/payment/index.ts';
import { outside } from '../activities.ts';
import { CHANGED_SIGNAL } from '../messages.ts';
import type { MethodOfRef, RefundRef } from './messages.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);
const { detachAtProvider, refundAtProvider } = outside<PaymentActivities>();

/** Tells a provider to forget a method, until it has heard. */
export async function detachMethod({ methodId }: MethodOfRef): Promise<void> {
  setHandler(changedSignal, () => undefined);
  await detachAtProvider({ methodId });
}

/** Gives money back through the provider, or to the wallet when the provider can't. */
export async function refundPayment({ refundId }: RefundRef): Promise<void> {
  setHandler(changedSignal, () => undefined);
  await refundAtProvider({ refundId });
}
