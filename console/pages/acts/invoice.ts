import { readInvoice } from '../../../db/sql/invoice/read.ts';
import type { Form } from '../../../portal/http/form.ts';
import { methodName } from '../../../portal/pages/methods/name.ts';
import { hiddenField } from '../../../portal/parts/form.ts';
import { html } from '../../../portal/parts/html.ts';
import { sendInvoiceAgain } from '../../../services/email/send-again.ts';
import { payOnRequest } from '../../../services/payment/pay.ts';
import { payAndWait } from '../../../services/payment/pay-and-wait.ts';
import { lastAttempt, payableInvoice } from '../../../services/portal/pay.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { invoiceAddress } from '../links.ts';
import { isAmount } from './amount.ts';
import { confirmPage } from './confirm.ts';

/** What may be done with an invoice. */
export const invoiceActs = [
  ...onAct('/invoice/:id/pay', askPay, pay, ['method', 'at_most']),
  ...onAct('/invoice/:id/send', askToSend, send, []),
];

/** What credits and wallet pay of it, and which method is charged with the rest. */
async function askPay(visit: Visit): Promise<ConsoleResponse> {
  const { t, format, portal, db, param, visitor } = visit;
  const found = await readInvoice(db, visitor.vendorId, param('id'));
  const invoice = found === null ? null : await payableInvoice(db, { vendorId: visitor.vendorId, customerId: found.customerId }, found.id);
  if (invoice === null) return noSuchPage;
  const money = (amount: string): string => format.money(amount, invoice.currency);
  const method = invoice.methods.find(({ isDefault }) => isDefault);
  const effect = html`<dl class="sums"><dt>${t('invoice.due')}</dt><dd>${money(invoice.amountDue)}</dd>
<dt>${t('act.from_credits')}</dt><dd>${money(invoice.fromCredits)}</dd><dt>${t('act.from_wallet')}</dt><dd>${money(invoice.fromWallet)}</dd>
<dt class="total">${method === undefined ? t('act.no_method') : methodName(portal, method)}</dt><dd class="total">${money(invoice.toPay)}</dd></dl>`;
  const up = { to: invoiceAddress(invoice.id), title: t('invoice.title', { number: invoice.number }) };
  const fields = method && html`${hiddenField('method', method.id)}${hiddenField('at_most', invoice.toPay)}`;
  return confirmPage(visit, { title: t('act.pay'), up, effect, fields, button: fields === undefined ? null : t('act.pay') });
}

const METHOD = /^CPMet_[0-9a-f-]{36}$/;

/**
 * Charges the method that was shown, and no more than was shown. A form without a method is refused: the service would
 * take it for a payment that was received by other means.
 */
async function pay(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, parts, visitor, asker, param } = visit;
  const [method, atMost] = [form.text('method'), form.text('at_most')];
  if (!METHOD.test(method) || !isAmount(atMost)) return { kind: 'fixed', page: 'form', status: 400 };
  const request = { method, reference: null, atMost };
  const open: Parameters<typeof payAndWait>[1] = (tx) =>
    payOnRequest(tx, visitor.vendorId, param('id'), request, (name) => void parts.payments.providers.get(name));
  await payAndWait({ db, awaitPayment: parts.awaitPayment }, open, asker);
  return goTo(invoiceAddress(param('id')), { key: await outcomeOf(visit) });
}

/** A payment that nobody has answered yet is not one that was tried: the page must not send anybody to press again. */
async function outcomeOf({ db, param }: Visit): Promise<'act.pay_done' | 'act.pay_failed' | 'act.pay_open'> {
  const attempt = await lastAttempt(db.em(), param('id'));
  if (attempt?.status === 'processing') return 'act.pay_open';
  return attempt?.status === 'failed' ? 'act.pay_failed' : 'act.pay_done';
}

/** Asks before sending. The e-mail goes to the address that the customer has when it is sent. */
async function askToSend(visit: Visit): Promise<ConsoleResponse> {
  const { t, db, param, visitor } = visit;
  const invoice = await readInvoice(db, visitor.vendorId, param('id'));
  if (invoice === null) return noSuchPage;
  const up = { to: invoiceAddress(invoice.id), title: t('invoice.title', { number: invoice.number }) };
  return confirmPage(visit, { title: t('act.send'), up, effect: html`<p>${t('act.send_text')}</p>`, button: t('act.send') });
}

async function send({ db, visitor, asker, param }: Visit): Promise<ConsoleResponse> {
  await db.transaction((tx) => sendInvoiceAgain(tx, visitor.vendorId, param('id')), asker);
  return goTo(invoiceAddress(param('id')), { key: 'act.send_done' });
}
