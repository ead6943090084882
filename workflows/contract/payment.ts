import type { Concern } from './concern.ts';

const WORDS: Readonly<Record<string, string>> = {
  payment_due: 'is charged',
  payment_retry: 'is charged again',
  payment_answer: 'is asked about at its provider',
};

/** Waits for an invoice to fall due, for its next retry, or for the time to ask its provider again. Then the next attempt starts as a workflow of its own. */
export const collection: Concern = {
  words: ({ kind, detail }) => `invoice ${detail.invoice_id} ${WORDS[kind] ?? 'is collected'}`,
  activity: 'collectPayment',
};
