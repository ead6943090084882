import { readCustomer } from '../../../db/customer/read.ts';
import type { Form } from '../../../portal/http/form.ts';
import { textField } from '../../../portal/parts/form.ts';
import { html } from '../../../portal/parts/html.ts';
import { activateCustomer } from '../../../services/customer/activate.ts';
import { freezeCustomer } from '../../../services/customer/freeze.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { customerAddress } from '../links.ts';
import { confirmPage } from './confirm.ts';

/** What may be done with a customer. */
export const customerActs = [
  ...onAct('/customer/:id/freeze', (visit) => ask(visit, 'freeze'), freeze, ['notes']),
  ...onAct('/customer/:id/activate', (visit) => ask(visit, 'activate'), activate, ['notes']),
];

async function ask(visit: Visit, act: 'freeze' | 'activate'): Promise<ConsoleResponse> {
  const { t, param } = visit;
  const customer = await readCustomer(visit.db.em(), visit.visitor.vendorId, param('id'));
  if (customer === null) return noSuchPage;
  const up = { to: customerAddress(customer.id), title: customer.name || t('customer.no_name') };
  const fields = textField({ name: 'notes', label: t('act.notes'), hint: t('act.notes_hint'), value: '' });
  return confirmPage(visit, { title: t(`act.${act}`), up, effect: html`<p>${t(`act.${act}_text`)}</p>`, fields, button: t(`act.${act}`) });
}

async function freeze({ db, visitor, asker, param }: Visit, form: Form): Promise<ConsoleResponse> {
  await db.transaction((tx) => freezeCustomer(tx, visitor.vendorId, param('id'), { notes: form.text('notes') || null }), asker);
  return goTo(customerAddress(param('id')), { key: 'act.freeze_done' });
}

async function activate({ db, visitor, asker, param }: Visit, form: Form): Promise<ConsoleResponse> {
  await db.transaction((tx) => activateCustomer(tx, visitor.vendorId, param('id'), form.text('notes') || null), asker);
  return goTo(customerAddress(param('id')), { key: 'act.activate_done' });
}
