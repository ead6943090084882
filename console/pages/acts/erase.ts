import type { CustomerRecord } from '../../../db/customer/customer.ts';
import { readCustomer } from '../../../db/customer/read.ts';
import type { Form } from '../../../portal/http/form.ts';
import { textField } from '../../../portal/parts/form.ts';
import { html } from '../../../portal/parts/html.ts';
import { beginErasure } from '../../../services/erasure/begin.ts';
import { openMoneyWords } from '../../../services/erasure/open-money.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { customerAddress } from '../links.ts';
import { confirmPage } from './confirm.ts';

/**
 * Pages that erase what is personal of a customer. The text that is typed to confirm is personal: the audit log keeps
 * nothing of it.
 */
export const eraseActs = onAct('/customer/:id/erase', (visit) => ask(visit), erase, []);

const INVALID = 422;

/** What has to be typed: the reference, else the name, else the id. */
const wordOf = ({ id, name, customerReference }: CustomerRecord): string => customerReference || name || id;

async function ask(visit: Visit, typed: string | null = null): Promise<ConsoleResponse> {
  const { t, db, visitor, param } = visit;
  const customer = await readCustomer(db.em(), visitor.vendorId, param('id'));
  if (customer === null) return noSuchPage;
  const open = await openMoneyWords(db, customer.id);
  const word = wordOf(customer);
  const goes = html`<h2>${t('erase.goes')}</h2><ul>${(['own', 'elsewhere', 'documents'] as const).map((one) => html`<li>${t(`erase.goes_${one}`)}</li>`)}</ul>
<h2>${t('erase.stays')}</h2><ul>${(['books', 'country', 'ids'] as const).map((one) => html`<li>${t(`erase.stays_${one}`)}</li>`)}</ul>
<p><strong>${t('erase.for_good')}</strong></p>`;
  const inTheWay = html`<h2>${t('erase.open')}</h2><ul lang="en">${open.map((text) => html`<li>${text}</li>`)}</ul>`;
  const field = textField({
    name: 'confirm',
    label: t('erase.confirm', { word }),
    value: typed ?? '',
    error: typed === null ? undefined : t('erase.wrong', { word }),
    autocomplete: 'off',
    required: true,
  });
  return {
    ...confirmPage(visit, {
      title: t('erase.title'),
      up: { to: customerAddress(customer.id), title: customer.name || t('customer.no_name') },
      effect: html`${goes}${open.length === 0 ? null : inTheWay}`,
      fields: open.length === 0 ? field : null,
      button: open.length === 0 ? t('erase.title') : null,
    }),
    ...(typed === null ? {} : { status: INVALID }),
  };
}

async function erase(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, visitor, asker, param } = visit;
  const customer = await readCustomer(db.em(), visitor.vendorId, param('id'));
  if (customer === null) return noSuchPage;
  const typed = form.text('confirm');
  if (typed !== wordOf(customer).trim()) return ask(visit, typed);
  await db.transaction((tx) => beginErasure(tx, visitor.vendorId, customer.id), asker);
  return goTo(customerAddress(customer.id), { key: 'erase.done' });
}
