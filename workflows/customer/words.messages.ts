import { dateText } from '../contract/words.messages.ts';
import type { CustomerSchedule } from '../messages.ts';

/** What is due of a customer, in words. */
export const customerWords = ({ at, kind }: CustomerSchedule['due'][number]): string =>
  `${dateText(at)}: ${kind === 'session_expiry' ? 'a payment session expires' : kind.replaceAll('_', ' ')}`;

/** The details an operator reads in the Temporal UI; the empty paragraph is there to be cut off. */
export const customerText = ({ customerId, clockId, due }: Pick<CustomerSchedule, 'customerId' | 'clockId' | 'due'>): string =>
  `Due of \`${customerId}\`${clockId === null ? '' : `, on the test clock \`${clockId}\``}:\n\n${due.map((item) => `- ${customerWords(item)}`).join('\n')}\n\n\u00a0`;
