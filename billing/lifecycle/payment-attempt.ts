import type { Machine } from './machine.ts';

/** The states of a payment attempt. */
export type PaymentAttemptState = 'processing' | 'succeeded' | 'failed';

/** What can happen to a payment attempt. */
export type PaymentAttemptTrigger = 'wait' | 'confirm' | 'refuse';

/**
 * A payment attempt's lifecycle. A retry is an attempt of its own.
 *
 * @example next(paymentAttemptMachine, 'processing', 'confirm') // 'succeeded'
 */
export const paymentAttemptMachine: Machine<PaymentAttemptState, PaymentAttemptTrigger> = {
  name: 'payment attempt',
  states: {
    processing: 'the provider was asked, its answer is awaited',
    succeeded: 'the money was taken',
    failed: 'the provider refused',
  },
  births: [
    { to: 'processing', text: 'charge of a payment method' },
    { to: 'succeeded', text: 'wallet use, or recorded by hand' },
  ],
  transitions: [
    { from: 'processing', trigger: 'wait', to: 'processing' },
    { from: 'processing', trigger: 'confirm', to: 'succeeded' },
    { from: 'processing', trigger: 'refuse', to: 'failed' },
  ],
};
