import type { Concern } from './concern.ts';

const WORDS: Readonly<Record<string, string>> = { cancel: 'the contract is canceled', freeze: 'the customer is frozen' };

/**
 * Waits for the day of the last retry of an unpaid invoice. Then, unless it is paid, the contract is canceled or the
 * customer frozen, as the contract says.
 */
export const dunningEnd: Concern = {
  words: ({ detail }) => `${WORDS[String(detail.action)] ?? 'dunning ends'} unless invoice ${detail.invoice_id} is paid`,
  activity: 'endDunning',
};
