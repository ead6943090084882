import type { DueItem, DunnedInvoice } from '../messages.ts';
import type { Concern } from './concern.ts';

const WORDS: Readonly<Record<string, string>> = {
  payment_due: 'is charged',
  payment_retry: 'is charged again',
  payment_answer: 'is asked about at its provider',
};

/**
 * Waits for an invoice to fall due, for its next retry, or for the time to ask its provider again. Then the next
 * attempt starts as a workflow of its own.
 */
export const collection: Concern = {
  words: (item) => `${paidBy(item)} ${WORDS[item.kind] ?? 'is collected'}${more(item)}`,
  activity: 'collectPayment',
};

/** What a collection is about: an invoice, or a contract that a payment gate holds back. */
const paidBy = ({ detail: { invoice_id, contract_id } }: DueItem): string =>
  invoice_id === undefined ? `the payment of contract ${contract_id}` : `invoice ${invoice_id}`;

function more({ kind, detail: { retry, retries, payment_id } }: DueItem): string {
  if (kind === 'payment_retry' && retry !== undefined) return `, retry ${retry} of ${retries}`;
  return kind === 'payment_answer' && payment_id !== undefined ? `, by ${workflowOf(String(payment_id))}` : '';
}

/** An attempt's own workflow, as the Temporal UI finds it. */
const workflowOf = (attemptId: string): string => `payment:${attemptId}`;

/** What an operator reads of an invoice whose payment has failed; its next retry is listed under what happens next. */
export function dunnedWords({ invoiceId, failures, givenUp, attemptId }: DunnedInvoice): string {
  const tries = failures === 1 ? '1 try has failed' : `${failures} tries have failed`;
  const last = attemptId === null ? '' : `, the last is \`${workflowOf(attemptId)}\``;
  return `invoice \`${invoiceId}\`: ${tries}${last}${givenUp ? '; no further one comes by itself' : ''}`;
}
