import type { CustomerRecord } from '../../db/customer/customer.ts';
import { type Html, html } from '../../portal/parts/html.ts';
import { CONSOLE_PREFIX } from '../http/parts.ts';
import type { Visit } from '../http/visit.ts';

export const customerAddress = (id: string): string => `${CONSOLE_PREFIX}/customer/${id}`;
export const contractAddress = (id: string): string => `${CONSOLE_PREFIX}/contract/${id}`;
export const planAddress = (id: string): string => `${CONSOLE_PREFIX}/plan/${id}`;
export const invoiceAddress = (id: string): string => `${CONSOLE_PREFIX}/invoice/${id}`;

export const clockAddress = (id: string): string => `${CONSOLE_PREFIX}/test_clock/${id}`;
export const importAddress = (id: string): string => `${CONSOLE_PREFIX}/import/${id}`;
export const webhookAddress = (id: string): string => `${CONSOLE_PREFIX}/webhook/${id}`;

/** The way back to a customer from a page that acts on it. */
export const upToCustomer = ({ t }: Visit, { id, name }: Pick<CustomerRecord, 'id' | 'name'>) => ({
  to: customerAddress(id),
  title: name || t('customer.no_name'),
});

const PAGES: Readonly<Record<string, (id: string) => string>> = {
  Cust: customerAddress,
  Cont: contractAddress,
  Inv: invoiceAddress,
  Plan: planAddress,
  Hook: webhookAddress,
  Imp: importAddress,
  Clock: clockAddress,
};

export const linkTo = (address: string, text: string): Html => html`<a href="${address}">${text}</a>`;

/** An id as it can be copied; a link where the object has a page. */
export function objectLink(id: string): Html {
  const address = PAGES[id.split('_')[0] ?? '']?.(id);
  const text = html`<span class="id">${id}</span>`;
  return address === undefined ? text : html`<a href="${address}">${text}</a>`;
}
