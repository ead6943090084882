import type { Machine } from './machine.ts';

/** The states of a payment session. */
export type PaymentSessionState = 'pending' | 'succeeded' | 'failed' | 'expired';

/** What can happen to a payment session. */
export type PaymentSessionTrigger = 'succeed' | 'fail' | 'expire';

/** A payment session's lifecycle: 24 hours to set a payment method up. */
export const paymentSessionMachine: Machine<PaymentSessionState, PaymentSessionTrigger, 'pending', 'open'> = {
  name: 'payment session',
  states: {
    pending: 'waits for the customer',
    succeeded: 'the method is set up',
    failed: 'the provider refused the method',
    expired: 'not finished within 24 hours',
  },
  starts: [{ event: 'open', to: 'pending', text: 'created' }],
  transitions: [
    { from: 'pending', trigger: 'succeed', to: 'succeeded' },
    { from: 'pending', trigger: 'fail', to: 'failed' },
    { from: 'pending', trigger: 'expire', to: 'expired' },
  ],
};
