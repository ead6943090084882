import { howMany } from '../../billing/how-many.ts';
import { CUT_OFF, dateText } from '../contract/words.messages.ts';
import type { CustomerDue, CustomerSchedule, Json } from '../messages.ts';

/** What the words of a row are made of. */
export type CustomerDueInWords = Omit<CustomerDue, 'id'>;

/** What an operator reads of each kind of row of a customer. */
const WORDS: Readonly<Record<string, string>> = {
  session_expiry: 'a payment session expires',
  email: 'an e-mail is sent',
  invoice_reminder: 'an unpaid invoice is looked at for a reminder',
  credit_expiry: 'what is left of prepaid credits expires',
  credit_top_up: 'a top-up looks at prepaid credits',
  payment_due: 'an invoice of bought credits is charged',
  payment_retry: 'an invoice of bought credits is charged again',
  payment_answer: 'a payment is asked about at its provider',
  payment_rest: 'further open invoices are charged, or planned',
  wallet_rest: 'further open invoices are paid from prepaid credits and wallet',
  credit_look: 'prepaid credits have become less, and alerts are looked at',
  card_reminder: 'a card is looked at for an e-mail about its last month',
  erasure: 'personal data are erased',
  freeze_end: 'the freeze ends, and every contract goes on',
};

/** What is due of a customer, in words. */
export function customerWords({ at, kind, detail }: CustomerDueInWords): string {
  const about = kind === 'email' ? emailText(detail) : '';
  return `${dateText(at)}: ${WORDS[kind] ?? kind.replaceAll('_', ' ')}${about}`;
}

const emailText = ({ email, object, tries }: Readonly<Record<string, Json>>): string =>
  ` (${email} of ${object}${tries === undefined ? '' : `, tried ${howMany(Number(tries), 'time')}`})`;

/** The details an operator reads in the Temporal UI. */
export const customerText = ({
  customerId,
  clockId,
  due,
}: Pick<CustomerSchedule, 'customerId' | 'clockId'> & { due: readonly CustomerDueInWords[] }): string =>
  `Due of \`${customerId}\`${clockId === null ? '' : `, on the test clock \`${clockId}\``}:\n\n${due.map((item) => `- ${customerWords(item)}`).join('\n')}${CUT_OFF}`;
