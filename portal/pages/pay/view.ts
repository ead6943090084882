import { type Decimal, dec } from '../../../billing/money/decimal.ts';
import type { Method } from '../../../services/payment/method.ts';
import type { PayableInvoice } from '../../../services/portal/pay.ts';
import { vendorText } from '../../http/vendor-text.ts';
import type { Visit } from '../../http/visit.ts';
import { actForm, errorSummary, fieldId, hiddenField } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge, noteBox } from '../../parts/note.ts';
import { reasonKey } from '../../parts/reason.ts';
import { expiryText, hasExpired, methodName } from '../methods/name.ts';

/** What the page knows beside the invoice. */
export interface PayState {
  /** whether a new method can be added here */
  readonly canAdd: boolean;
  /** id of the method that stands chosen; '' for the default one */
  readonly chosen: string;
  readonly errors: ReadonlyMap<string, string>;
}

/** The page of one invoice: what there is to pay, why the last payment failed, and how to pay. */
export function payContent(visit: Visit, invoice: PayableInvoice, state: PayState): Html {
  const { t } = visit;
  return html`<a class="up" href="/portal">${t('pay.up')}</a>
<div class="title"><h1>${t('pay.title', { number: invoice.number })}</h1></div>
${errorSummary(t('frame.errors_title', { count: state.errors.size }), state.errors)}${failureBox(visit, invoice)}
${figures(visit, invoice)}
${wayOn(visit, invoice, state)}`;
}

function failureBox(visit: Visit, { failure, isPaid, underWay }: PayableInvoice): Html | null {
  if (failure === null || isPaid || underWay !== null) return null;
  const { t, format } = visit;
  const date = format.day(failure.at);
  const what =
    failure.method === null ? t('pay.failed', { date }) : t('pay.failed_with', { date, method: methodName(visit, failure.method) });
  return noteBox('bad', html`<strong>${what}</strong> ${t(`reasons.${reasonKey(failure.reason)}`)}`);
}

function figures({ t, format }: Visit, invoice: PayableInvoice): Html {
  const { currency, total, credited, fromCredits, fromWallet, toPay } = invoice;
  const paid = paidOf(invoice);
  const money = (amount: string) => format.money(amount, currency);
  return html`<section aria-labelledby="invoice"><div class="head"><h2 id="invoice">${t('pay.invoice_title', { number: invoice.number })}</h2>
<a href="/portal/invoice/${invoice.id}">${t('pay.download')}</a></div>
<dl><dt>${t('pay.date')}</dt><dd>${format.day(invoice.date)}</dd>
<dt>${t('pay.due')}</dt><dd>${format.day(invoice.dueDate)}</dd>
<dt>${t('pay.total')}</dt><dd>${money(total)}</dd>
${dec(credited).gt(0) ? html`<dt>${t('pay.credited')}</dt><dd>${money(credited)}</dd>` : null}
${paid.gt(0) ? html`<dt>${t('pay.paid_so_far')}</dt><dd>${money(paid.toFixed())}</dd>` : null}
${dec(fromCredits).gt(0) ? html`<dt>${t('pay.credits')}</dt><dd>${money(fromCredits)}</dd>` : null}
${dec(fromWallet).gt(0) ? html`<dt>${t('pay.wallet')}</dt><dd>${money(fromWallet)}</dd>` : null}
<dt>${t('pay.to_pay')}</dt><dd><strong>${money(toPay)}</strong></dd></dl></section>
`;
}

/** What was really paid of it. */
const paidOf = ({ total, amountDue, credited }: PayableInvoice): Decimal => dec(total).minus(amountDue).minus(credited);

function paidBox({ t }: Visit, invoice: PayableInvoice): Html {
  if (dec(invoice.credited).gt(0) && paidOf(invoice).isZero()) return box(t('pay.credited_title'), html`<p>${t('pay.credited_text')}</p>`);
  return box(t('pay.paid_title'), html`<p>${t('pay.paid_text')}</p>`);
}

function wayOn(visit: Visit, invoice: PayableInvoice, state: PayState): Html | null {
  const { t } = visit;
  if (invoice.isPaid) return paidBox(visit, invoice);
  if (invoice.underWay !== null) return underWay(visit, invoice, invoice.underWay);
  if (invoice.customerStatus === 'inactive') return null;
  if (invoice.customerStatus !== 'active') return box(t('pay.not_active_title'), html`<p>${t('pay.not_active_text')}</p>`);
  if (invoice.methods.length > 0 || dec(invoice.toPay).isZero()) return payForm(visit, invoice, state);
  if (!state.canAdd) return box(t('pay.by_hand_title'), vendorText(visit, 'pay') ?? html`<p>${t('pay.by_hand_text')}</p>`);
  const add = html`<div class="actions"><button type="submit" class="main">${t('pay.new')}</button></div>`;
  return box(
    t('pay.no_method_title'),
    html`<p>${t('pay.no_method_text')}</p><p class="soft">${t('pay.new_hint')}</p>${addForm(visit, invoice, add)}`,
  );
}

const box = (title: string, content: Html): Html => html`<section aria-labelledby="way"><div class="head"><h2 id="way">${title}</h2></div>
${content}</section>
`;

function underWay(visit: Visit, { id, currency }: PayableInvoice, payment: NonNullable<PayableInvoice['underWay']>): Html {
  const { t, format, csrf } = visit;
  const page = `/portal/invoice/${id}/pay`;
  const amount = format.money(payment.amount, currency);
  if (!payment.waitsForCustomer) {
    const again = html`<div class="actions"><a class="button" href="${page}">${t('pay.look_again')}</a></div>`;
    return box(t('pay.under_way_title'), html`<p>${t('pay.under_way_text', { amount, date: format.moment(payment.at) })}</p>${again}`);
  }
  const other = html`<button type="submit">${t('pay.other')}</button>`;
  return box(
    t('pay.confirm_title'),
    html`<p>${t('pay.confirm_text', { amount })}</p>
<div class="actions"><a class="button main" href="${page}/step">${t('pay.confirm')}</a>${actForm({ action: `${page}/other`, csrf, content: other })}</div>`,
  );
}

const ADD_FORM = 'add-method';

/** The form that pays; the button for a new method stands in it and belongs to a form of its own. */
function payForm(visit: Visit, invoice: PayableInvoice, state: PayState): Html {
  const { t, format, csrf } = visit;
  const { id, currency, toPay, fromCredits, fromWallet, methods } = invoice;
  const byWallet = dec(toPay).isZero();
  const label = byWallet
    ? t('pay.settle_by_wallet', { amount: format.money(dec(fromCredits).plus(fromWallet).toFixed(), currency) })
    : t('pay.pay', { amount: format.money(toPay, currency) });
  const fresh = html`<p><button type="submit" class="small" form="${ADD_FORM}">${t('pay.new')}</button></p><p class="soft small">${t('pay.new_hint')}</p>`;
  const content = html`${hiddenField('at_most', toPay)}${byWallet ? hiddenField('method', methods[0]?.id ?? '') : choices(visit, methods, state)}${state.canAdd && !byWallet ? fresh : null}
<div class="actions"><button type="submit" class="main">${label}</button></div>`;
  return html`<section>${actForm({ action: `/portal/invoice/${id}/pay`, csrf, content })}${state.canAdd ? addForm(visit, invoice, null) : null}</section>`;
}

const addForm = ({ csrf }: Visit, { id }: PayableInvoice, content: Html | null): Html =>
  html`<form method="post" action="/portal/methods/add" id="${ADD_FORM}"><input type="hidden" name="csrf" value="${csrf}">${hiddenField('invoice', id)}${content}</form>`;

function choices(visit: Visit, methods: readonly Method[], { chosen, errors }: PayState): Html {
  const { t } = visit;
  const picked = methods.find(({ id }) => id === chosen) ?? methods.find(({ isDefault }) => isDefault) ?? methods[0];
  const error = errors.get('method');
  return html`<fieldset${error === undefined ? null : html` aria-describedby="method-error"`}><legend><h2>${t('pay.choose_title')}</h2></legend>
${error === undefined ? null : html`<p class="error" id="method-error">${error}</p>`}
${methods.map((method, at) => choice(visit, method, { isPicked: method === picked, id: at === 0 ? fieldId('method') : `method-${at}` }))}</fieldset>`;
}

function choice(visit: Visit, method: Method, { isPicked, id }: { isPicked: boolean; id: string }): Html {
  const { t, now } = visit;
  const date = expiryText(method);
  const expiry = date === null ? null : t(hasExpired(method, now) ? 'pay.expired' : 'pay.expires', { date });
  return html`<label class="choice"><input type="radio" id="${id}" name="method" value="${method.id}"${isPicked ? html` checked` : null}>
<span>${methodName(visit, method)}${expiry === null ? null : html`<br><span class="soft small">${expiry}</span>`}</span>
${method.isDefault ? badge('plain', t('pay.default')) : html`<span></span>`}</label>
`;
}
