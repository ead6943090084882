import type { Machine } from './machine.ts';

/** The states of a payment attempt. */
export type PaymentAttemptState = 'processing' | 'succeeded' | 'failed';

/** What can happen to a payment attempt; `drop`: it was never sent, because its customer was frozen meanwhile. */
export type PaymentAttemptTrigger = 'wait' | 'confirm' | 'refuse' | 'drop';

/** What makes a payment attempt. */
export type PaymentAttemptEvent = 'charge' | 'record';

/**
 * A payment attempt's lifecycle. A retry is an attempt of its own. When a provider reports money after a failure, the
 * money was taken.
 */
export const paymentAttemptMachine: Machine<PaymentAttemptState, PaymentAttemptTrigger, 'processing' | 'succeeded', PaymentAttemptEvent> = {
  name: 'payment attempt',
  states: {
    processing: 'the provider was asked, its answer is awaited',
    succeeded: 'the money was taken',
    failed: 'the provider refused, or was never asked',
  },
  starts: [
    { event: 'charge', to: 'processing', text: 'charge of a payment method' },
    { event: 'record', to: 'succeeded', text: 'recorded by hand' },
  ],
  transitions: [
    { from: 'processing', trigger: 'wait', to: 'processing' },
    { from: 'processing', trigger: 'confirm', to: 'succeeded' },
    { from: 'processing', trigger: 'refuse', to: 'failed' },
    { from: 'processing', trigger: 'drop', to: 'failed' },
    { from: 'failed', trigger: 'confirm', to: 'succeeded' },
  ],
};
