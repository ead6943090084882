import type { Machine } from './machine.ts';

/** The states of a payment gate. */
export type PaymentGateState = 'waiting' | 'succeeded' | 'failed' | 'expired' | 'dropped';

/** What can happen to a payment gate; `drop`: by a call, a freeze, or what changes the facts it was computed from. */
export type PaymentGateTrigger = 'succeed' | 'refuse' | 'expire' | 'drop';

/**
 * A payment gate's lifecycle. Only the transaction that records its payment, or the one that ends it, leaves `waiting`:
 * money that comes after that goes to the wallet.
 */
export const paymentGateMachine: Machine<PaymentGateState, PaymentGateTrigger, 'waiting', 'open'> = {
  name: 'payment gate',
  states: {
    waiting: 'waits for its payment',
    succeeded: 'paid, and its contract is made',
    failed: 'the provider refused',
    expired: 'not paid in time',
    dropped: 'taken back, or its facts have changed',
  },
  starts: [{ event: 'open', to: 'waiting', text: 'asked for with a change or a signing' }],
  transitions: [
    { from: 'waiting', trigger: 'succeed', to: 'succeeded' },
    { from: 'waiting', trigger: 'refuse', to: 'failed' },
    { from: 'waiting', trigger: 'expire', to: 'expired' },
    { from: 'waiting', trigger: 'drop', to: 'dropped' },
  ],
};
