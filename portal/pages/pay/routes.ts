import { dec } from '../../../billing/money/decimal.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { payAndWait, waitForOutcome } from '../../../services/payment/pay-and-wait.ts';
import { isProviderAway } from '../../../services/payment/provider-away.ts';
import { confirmationPage, giveUpAttempt, lookUpAttempt } from '../../../services/payment/second-step.ts';
import { lastAttempt, type PayableInvoice, payAsCustomer, payableInvoice } from '../../../services/portal/pay.ts';
import type { Form } from '../../http/form.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet, onPost } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { canAddMethods, providerAwayPage } from '../methods/provider.ts';
import { type PayState, payContent } from './view.ts';

/** One invoice: pay it, confirm the payment at the bank, come back from there. */
export const payPages = [
  onGet('/invoice/:invoice_id/pay', showPay),
  onPost('/invoice/:invoice_id/pay', pay),
  onGet('/invoice/:invoice_id/pay/step', goToBank),
  onGet('/invoice/:invoice_id/pay/return', comeBack),
  onPost('/invoice/:invoice_id/pay/other', payOtherwise),
];

const pageOf = (invoiceId: string): string => `/portal/invoice/${invoiceId}/pay`;

const invoiceOf = (visit: Visit): Promise<PayableInvoice | null> => payableInvoice(visit.db, visit.visitor, visit.param('invoice_id'));

async function showPay(visit: Visit): Promise<PortalResponse> {
  const invoice = await invoiceOf(visit);
  return invoice === null ? noSuchPage : payPage(visit, invoice);
}

const NO_ERRORS: PayState['errors'] = new Map();

function payPage(visit: Visit, invoice: PayableInvoice, errors = NO_ERRORS, status = 200): PortalResponse {
  const { query } = visit;
  const state = { canAdd: canAddMethods(visit), chosen: query('method'), errors };
  const title = visit.t('pay.title', { number: invoice.number });
  return showPage({ title, content: payContent(visit, invoice, state), narrow: true, status });
}

const AMOUNT = /^\d{1,20}(\.\d{1,20})?$/;
const WRONG_FIELD = 422;
const STATE = 409;

async function pay(visit: Visit, form: Form): Promise<PortalResponse> {
  const { t, db, parts } = visit;
  const invoice = await invoiceOf(visit);
  if (invoice === null) return noSuchPage;
  const [methodId, atMost] = [form.text('method'), form.text('at_most')];
  if (!AMOUNT.test(atMost)) return { kind: 'fixed', page: 'form', status: 400 };
  if (methodId === '' && !dec(invoice.toPay).isZero())
    return payPage(visit, invoice, new Map([['method', t('pay.choose_error')]]), WRONG_FIELD);
  const payment = { methodId: methodId === '' ? null : methodId, atMost, returnUrl: `${parts.baseUrl}${pageOf(invoice.id)}/return` };
  try {
    await payAndWait(
      { db, awaitPayment: parts.awaitPayment },
      (tx) => payAsCustomer(tx, visit.visitor, invoice.id, payment, (name) => void parts.payments.providers.get(name)),
      visit.asker,
    );
  } catch (error) {
    return afterRefusal(visit, invoice, error);
  }
  return outcome(visit, invoice);
}

/** A second press of the button, or a payment that somebody else began, waits for the outcome of the first. */
async function afterRefusal(visit: Visit, invoice: PayableInvoice, error: unknown): Promise<PortalResponse> {
  const { t } = visit;
  if (isProviderAway(error)) return providerAwayPage(visit);
  if (!(error instanceof Refusal)) throw error;
  if (error.code === 'payment_in_progress') {
    const open = await lastAttempt(visit.db.em(), invoice.id);
    if (open?.status === 'processing') await waitForOutcome(visit.parts.awaitPayment, open.id);
    return goTo(pageOf(invoice.id));
  }
  const now = await invoiceOf(visit);
  if (now === null || now.isPaid) return goTo(pageOf(invoice.id));
  if (error.code === 'estimate_outdated')
    return payPage(visit, now, new Map([['method', `${t('pay.changed_title')}. ${t('pay.changed_text')}`]]), STATE);
  if (error.code === 'payment_method_not_found' || error.code === 'payment_method_state')
    return payPage(visit, now, new Map([['method', t('pay.choose_error')]]), WRONG_FIELD);
  throw error;
}

/** Goes on at the bank where it asks, else to the page, which shows what became of the payment. */
async function outcome(visit: Visit, before: PayableInvoice): Promise<PortalResponse> {
  const now = await invoiceOf(visit);
  if (now?.isPaid)
    return goTo(pageOf(before.id), { key: 'pay.paid_note', values: { amount: visit.format.money(before.amountDue, before.currency) } });
  const own = now?.underWay?.waitsForCustomer ? await bankPage(visit, now.underWay.id) : null;
  // a form may lead only to our own pages; a link on the next page leads to another site
  return goTo(own?.startsWith('/') ? own : pageOf(before.id));
}

const bankPage = ({ db, parts }: Visit, attemptId: string): Promise<string | null> =>
  confirmationPage({ db, payments: parts.payments }, attemptId);

async function goToBank(visit: Visit): Promise<PortalResponse> {
  const invoice = await invoiceOf(visit);
  if (invoice === null) return noSuchPage;
  const page = invoice.underWay?.waitsForCustomer ? await bankPage(visit, invoice.underWay.id) : null;
  return page === null ? comeBack(visit) : goTo(page);
}

/** What the bank's page says in the address proves nothing, so the provider is asked. */
async function comeBack(visit: Visit): Promise<PortalResponse> {
  const invoice = await invoiceOf(visit);
  if (invoice === null) return noSuchPage;
  const { db, parts } = visit;
  if (invoice.underWay === null) return goTo(pageOf(invoice.id));
  await lookUpAttempt({ db, payments: parts.payments }, invoice.underWay.id);
  const now = await invoiceOf(visit);
  const values = { amount: visit.format.money(invoice.underWay.amount, invoice.currency) };
  return goTo(pageOf(invoice.id), now?.isPaid ? { key: 'pay.paid_note', values } : null);
}

async function payOtherwise(visit: Visit): Promise<PortalResponse> {
  const invoice = await invoiceOf(visit);
  if (invoice === null) return noSuchPage;
  const { db, parts } = visit;
  if (invoice.underWay !== null) await giveUpAttempt({ db, payments: parts.payments }, invoice.underWay.id);
  const now = await invoiceOf(visit);
  return goTo(pageOf(invoice.id), now?.isPaid || now?.underWay ? null : { key: 'pay.other_note' });
}
