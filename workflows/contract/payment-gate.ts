import type { Concern } from './concern.ts';

/**
 * Waits for the end of a payment gate. What its payment makes is made by the transaction that records the payment; what
 * isn't paid by then is dropped, and the contract that was to be changed goes on as it is.
 */
export const paymentGate: Concern = {
  words: ({ detail }) => `contract ${detail.contract_id} is dropped unless it is paid`,
  activity: 'endPaymentGate',
};
