import { Refusal } from '../../../billing/refusal.ts';
import { listMethods, type Method, readMethod } from '../../../services/payment/method.ts';
import { openSession } from '../../../services/payment/open-session.ts';
import { isProviderAway } from '../../../services/payment/provider-away.ts';
import { chooseMethod, owes, removeMethod, usualCurrency } from '../../../services/portal/methods.ts';
import { payableInvoice } from '../../../services/portal/pay.ts';
import type { Form } from '../../http/form.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet, onPost } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { html } from '../../parts/html.ts';
import { messageContent } from '../message/view.ts';
import { methodName } from './name.ts';
import { canAddMethods, providerAwayPage } from './provider.ts';
import { comeBackWithMethod } from './return.ts';
import { continueContent, methodsContent, removeContent } from './view.ts';

/** The payment methods: choose, remove, add on a page of the provider. */
export const methodPages = [
  onGet('/methods', showMethods),
  onGet('/methods/return', comeBackWithMethod),
  onPost('/methods/add', addMethod),
  onPost('/methods/:method_id/default', makeDefault),
  onGet('/methods/:method_id/remove', askToRemove),
  onPost('/methods/:method_id/remove', remove),
];

async function showMethods(visit: Visit): Promise<PortalResponse> {
  const { t, db, visitor } = visit;
  const methods = await listMethods(db.em(), visitor.vendorId, visitor.customerId);
  const shown = { methods, owes: await owes(db.em(), visitor.customerId), canAdd: canAddMethods(visit) };
  return showPage({ title: t('methods.title'), content: methodsContent(visit, shown) });
}

async function methodOf(visit: Visit): Promise<Method | null> {
  const { vendorId, customerId } = visit.visitor;
  const method = await readMethod(visit.db.em(), vendorId, customerId, visit.param('method_id'));
  return method?.status === 'detached' ? null : method;
}

async function makeDefault(visit: Visit): Promise<PortalResponse> {
  const method = await methodOf(visit);
  if (method === null) return noSuchPage;
  await visit.db.transaction((tx) => chooseMethod(tx, visit.visitor, method.id), visit.asker);
  return goTo('/portal/methods', { key: 'methods.made_default', values: { method: methodName(visit, method) } });
}

async function askToRemove(visit: Visit): Promise<PortalResponse> {
  const method = await methodOf(visit);
  if (method === null) return noSuchPage;
  return showPage({ title: visit.t('methods.remove_title'), content: removeContent(visit, method), narrow: true });
}

const STATE = 409;

async function remove(visit: Visit): Promise<PortalResponse> {
  const { t } = visit;
  const method = await methodOf(visit);
  if (method === null) return noSuchPage;
  try {
    await visit.db.transaction((tx) => removeMethod(tx, visit.visitor, method.id), visit.asker);
  } catch (error) {
    const why = error instanceof Refusal ? KEPT[error.code] : undefined;
    if (why === undefined) throw error;
    const back = html`<p><a href="/portal/methods">${t('methods.back')}</a></p>`;
    const title = t('methods.last_kept_title');
    return showPage({ title, content: messageContent(title, t(why), back), status: STATE, narrow: true });
  }
  return goTo('/portal/methods', { key: 'methods.removed', values: { method: methodName(visit, method) } });
}

const KEPT: Readonly<Record<string, 'methods.last_kept' | 'methods.charged_now'>> = {
  payment_method_state: 'methods.last_kept',
  payment_in_progress: 'methods.charged_now',
};

/** Opens a payment session and sends the customer to the provider's page; an invoice's page may ask for it. */
async function addMethod(visit: Visit, form: Form): Promise<PortalResponse> {
  const { db, visitor, parts } = visit;
  const invoice = form.has('invoice') ? await payableInvoice(db, visitor, form.text('invoice')) : null;
  if (form.has('invoice') && invoice === null) return noSuchPage;
  if (!canAddMethods(visit)) return goTo('/portal/methods');
  const currency = invoice?.currency ?? (await usualCurrency(db.em(), visitor));
  const back = (token: string) =>
    `${parts.baseUrl}/portal/methods/return?session=${token}${invoice === null ? '' : `&invoice=${invoice.id}`}`;
  try {
    const { page } = await openSession({ db, payments: parts.payments }, visitor.vendorId, visitor.customerId, visit.asker, {
      ...{ provider: null, address: false, detachPrevious: false, planId: null, pricingId: null },
      hosted: (token) => ({ returnUrl: back(token), cancelUrl: `${back(token)}&canceled=yes`, currency }),
    });
    if (page === undefined) return goTo('/portal/methods');
    if (page.url.startsWith('/')) return goTo(page.url);
    const formOrigins = page.fields === null ? [] : [new URL(page.url).origin];
    return showPage({ title: visit.t('methods.continue_title'), content: continueContent(visit, page), narrow: true, formOrigins });
  } catch (error) {
    if (isProviderAway(error)) return providerAwayPage(visit);
    throw error;
  }
}
