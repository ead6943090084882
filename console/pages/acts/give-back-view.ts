import { linesLeft } from '../../../billing/invoice/note-lines.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { methodName } from '../../../portal/pages/methods/name.ts';
import { hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { addressWith, pager } from '../../../portal/parts/pager.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { table } from '../../../portal/parts/table.ts';
import { type GiveBackBasis, type GiveBackPreview, type GiveBackRequest, MOST_SPREAD } from '../../../services/console/give-back.ts';
import type { Refundable } from '../../../services/credit-note/refund.ts';
import type { ConsoleResponse } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { invoiceAddress, linkTo } from '../links.ts';
import { choicePage } from './choice.ts';
import { confirmPage } from './confirm.ts';

/** By the way it was paid, or by a credit note whose money may also go to the wallet. */
export type Way = 'refund' | 'credit_note';

/** What the fields of lines are called, before the line's id. */
export const ITEM_FIELD = 'item.';

/** More lines of a note than these are counted, not shown. */
export const MOST_LINES = 100;

/** A refund is of an amount; a credit note may also name its lines. */
export const isByLine = ({ query }: Visit, way: Way): boolean => way === 'credit_note' && query('by') === 'lines';

const upOf = ({ t }: Visit, { invoice }: GiveBackBasis) => ({
  to: invoiceAddress(invoice.id),
  title: t('invoice.title', { number: invoice.number }),
});

/** Asks how much is to be given back, and of what. */
export function askForAmounts(visit: Visit, way: Way, basis: GiveBackBasis, errors: ReadonlyMap<string, string>): ConsoleResponse {
  const { t } = visit;
  const most = way === 'refund' ? basis.refundable : basis.most.total;
  const canBegin = basis.isValidated && dec(most).gt(0);
  const isPossible = canBegin && (isByLine(visit, way) || !basis.isLong);
  return choicePage(visit, {
    title: t(`give_back.${way}`),
    up: upOf(visit, basis),
    intro: html`${facts(visit, basis)}${canBegin ? tabs(visit, way) : null}${isPossible ? null : html`<p>${whyNot(visit, way, basis)}</p>`}`,
    fields: isPossible ? amountFields(visit, way, basis, errors) : null,
    button: t('act.look'),
    errors,
  });
}

function facts({ t, format }: Visit, { invoice, most, refundable, found }: GiveBackBasis): Html {
  const fact = (term: string, amount: string): Html => html`<dt>${term}</dt><dd>${format.money(amount, invoice.currency)}</dd>`;
  return html`<dl class="sums">${fact(t('invoice.total'), invoice.total)}${fact(t('invoice.due'), invoice.amountDue)}
${fact(t('give_back.paid_in_money'), found.paidInMoney)}${fact(t('give_back.most'), most.total)}${fact(t('give_back.most_payment'), refundable)}</dl>`;
}

function whyNot({ t }: Visit, way: Way, { invoice, isValidated, isLong, most, refundable }: GiveBackBasis): Html | string {
  if (!isValidated) return t('give_back.not_validated');
  if (!dec(most.total).gt(0)) return t('give_back.nothing_left');
  if (isLong && (way === 'credit_note' || dec(refundable).gt(0)))
    return html`${t('give_back.too_long', { most: MOST_SPREAD })} ${linkTo(`${invoiceAddress(invoice.id)}/credit_note?by=lines`, t('give_back.by_lines'))}`;
  if (way === 'credit_note') return t('give_back.nothing_left');
  return html`${t('give_back.nothing_paid')} ${linkTo(`${invoiceAddress(invoice.id)}/credit_note`, t('give_back.credit_note'))}`;
}

function tabs(visit: Visit, way: Way): Html | null {
  if (way === 'refund') return null;
  const { t, path } = visit;
  const byLine = isByLine(visit, way);
  const link = (address: string, text: string, isCurrent: boolean): Html =>
    html`<li><a href="${path}${address}"${isCurrent ? html` aria-current="page"` : null}>${text}</a></li>`;
  return html`<nav class="tabs" aria-label="${t('give_back.what')}"><ul>${link('', t('give_back.by_amount'), !byLine)}
${link('?by=lines', t('give_back.by_lines'), byLine)}</ul></nav>`;
}

function amountFields(visit: Visit, way: Way, basis: GiveBackBasis, errors: ReadonlyMap<string, string>): Html {
  const { query } = visit;
  const byLine = isByLine(visit, way);
  return html`${hiddenField('next', 'yes')}${byLine ? html`${hiddenField('by', 'lines')}${hiddenField('after', query('after'))}` : null}
${byLine ? lineFields(visit, basis, errors) : amountField(visit, way, basis, errors.get('amount'))}
${way === 'refund' ? null : targetField(visit)}`;
}

function amountField({ t, query, format }: Visit, way: Way, { most, invoice }: GiveBackBasis, error: string | undefined): Html {
  const limit = way === 'refund' ? most.payment : most.total;
  const hint = t('give_back.amount_hint', { most: format.money(limit, invoice.currency) });
  const label = t('give_back.amount', { currency: invoice.currency.toUpperCase() });
  return textField({ name: 'amount', label, hint, error, value: query('next') === '' ? limit : query('amount'), required: true });
}

const targetField = ({ t, query }: Visit): Html =>
  selectField({
    name: 'to',
    label: t('give_back.to'),
    hint: t('give_back.to_hint'),
    value: query('to'),
    options: (['wallet', 'payment'] as const).map((value) => ({ value, text: t(`give_back.to_${value}`) })),
  });

/** The lines of one page of the invoice, as far as something is left of them; a note is of lines of one page. */
function lineFields(visit: Visit, { found, names, nextLine, invoice }: GiveBackBasis, errors: ReadonlyMap<string, string>): Html {
  const { t, format, query, path } = visit;
  const lines = linesLeft(found);
  const older = nextLine === null ? null : addressWith(path, { by: 'lines', after: nextLine });
  const newest = query('after') === '' ? null : addressWith(path, { by: 'lines' });
  const others = pager({ older, newest, titles: { older: t('invoice.next_lines'), newest: t('invoice.first_lines') } });
  return html`${lines.length === 0 ? html`<p>${t('give_back.none_left_here')}</p>` : null}${lines.map(({ lineId, left }) => {
    const name = `${ITEM_FIELD}${lineId}`;
    const hint = t('give_back.line_hint', { left: format.money(left, invoice.currency) });
    return textField({ name, label: names.get(lineId) ?? lineId, hint, error: errors.get(name), value: query(name) });
  })}${others === null ? null : html`<p class="soft">${t('give_back.one_page')}</p>${others}`}`;
}

/** Says what the note gives back of which lines and where the money goes, and asks whether to write it. */
export function askToGiveBack(
  visit: Visit,
  way: Way,
  basis: GiveBackBasis,
  { to, what }: GiveBackRequest,
  preview: GiveBackPreview,
): ConsoleResponse {
  const { t, format } = visit;
  const asked =
    'items' in what
      ? html`${hiddenField('by', 'lines')}${what.items.map(({ lineId, amount }) => hiddenField(`${ITEM_FIELD}${lineId}`, amount ?? ''))}`
      : hiddenField('amount', what.amount);
  return confirmPage(visit, {
    title: t(`give_back.${way}`),
    up: upOf(visit, basis),
    effect: html`${lineTable(visit, basis, preview)}${where(visit, basis, preview)}`,
    fields: html`${hiddenField('to', to)}${asked}${hiddenField('shown', preview.shown)}
${textField({ name: 'notes', label: t('act.notes'), hint: t('give_back.notes_hint'), value: '' })}`,
    button: t(`give_back.${way}_button`, { amount: format.money(preview.note.total, basis.invoice.currency) }),
  });
}

function where(visit: Visit, basis: GiveBackBasis, { note, parts, toCreditsEnded, refunds }: GiveBackPreview): Html {
  const { t, format } = visit;
  const { currency, contractId } = basis.invoice;
  const money = (amount: string): string => format.money(amount, currency);
  const fact = (term: string, amount: string): Html | null => (dec(amount).gt(0) ? html`<dt>${term}</dt><dd>${money(amount)}</dd>` : null);
  const tax = sum(note.items.map(({ taxAmount }) => dec(taxAmount))).toFixed();
  return html`<dl class="sums">${fact(t('give_back.lowers'), parts.reduced)}${fact(t('give_back.back_to_credits'), dec(parts.toCredits).minus(toCreditsEnded).toFixed())}
${fact(t('give_back.back_to_ended'), toCreditsEnded)}${fact(t('give_back.back_to_wallet'), parts.toWallet)}${refunds.map(({ payment, amount }) => fact(payerName(visit, basis, payment), amount))}
<dt class="total">${t('give_back.total')}</dt><dd class="total">${money(note.total)}</dd>${fact(t('give_back.tax'), tax)}</dl>
${dec(parts.toWallet).gt(0) ? html`<p class="soft">${t('give_back.wallet_pays')}</p>` : null}
${dec(toCreditsEnded).gt(0) ? html`<p class="soft">${t('give_back.ended_text')}</p>` : null}
${contractId === null ? html`<p class="soft">${t('give_back.takes_credits')}</p>` : null}`;
}

/** What money goes back to; of what was received by hand somebody has to send it. */
function payerName({ t, portal }: Visit, { methods }: GiveBackBasis, { methodId, provider }: Refundable): string {
  const method = methodId === null ? undefined : methods.get(methodId);
  if (method !== undefined && provider !== 'self_handled') return t('give_back.back_to', { method: methodName(portal, method) });
  return provider === 'self_handled' ? t('give_back.by_hand') : t('give_back.back_to', { method: provider });
}

function lineTable({ t, format }: Visit, { names, invoice }: GiveBackBasis, { note }: GiveBackPreview): Html {
  const shown = note.items.slice(0, MOST_LINES);
  const further = note.items.length - shown.length;
  return html`<h2 id="lines">${t('invoice.lines_title')}</h2>${table({
    labelledBy: 'lines',
    columns: [{ title: t('invoice.line') }, { title: t('invoice.tax'), number: true }, { title: t('invoice.amount'), number: true }],
    rows: shown.map(({ lineId, taxAmount, amount }) => [
      names.get(lineId) ?? lineId,
      format.money(taxAmount, invoice.currency),
      format.money(amount, invoice.currency),
    ]),
  })}${further > 0 ? html`<p class="soft">${t('give_back.further_lines', { count: further })}</p>` : null}`;
}
