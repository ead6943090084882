import type { InvoiceWithLines } from '../../../billing/contract/work.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { lineWords } from '../../../portal/pages/change/line-words.ts';
import { methodName } from '../../../portal/pages/methods/name.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { table } from '../../../portal/parts/table.ts';
import type { ChangePayment } from '../../../services/portal/change-payment.ts';
import type { Visit } from '../../http/visit.ts';

/** Lines of a large contract; the sums below count all of them. */
const MOST_LINES = 50;

export const linesOf = (invoices: readonly InvoiceWithLines[]): Line[] => invoices.flatMap(({ lines }) => lines);

/** Lines with their amounts, as the customer reads them. */
export function lineTable({ t, format, portal }: Visit, id: string, title: string, lines: readonly Line[]): Html {
  const charged = lines.filter(({ kind }) => kind !== 'wallet');
  const further = charged.length - MOST_LINES;
  const rows = charged.slice(0, MOST_LINES).map((line) => {
    const { text, notes, amount } = lineWords(portal, line);
    return [
      html`<div>${text}${notes.map((note) => html`<br><span class="soft small">${note}</span>`)}</div>`,
      format.money(amount, line.currency),
    ];
  });
  const columns = [{ title: t('invoice.line') }, { title: t('invoice.amount'), number: true }];
  return html`<h2 id="${id}">${title}</h2>${charged.length === 0 ? html`<p class="soft">${t('sale.nothing')}</p>` : table({ labelledBy: id, columns, rows })}
${further > 0 ? html`<p class="soft">${t('contract.further_lines', { count: further })}</p>` : null}`;
}

/** What is invoiced at once, and who pays it with what. */
export function paymentSums(visit: Visit, payment: ChangePayment, currency: Currency): Html {
  const { t, format } = visit;
  const fact = (term: string, amount: string): Html | null =>
    dec(amount).isZero() ? null : html`<dt>${term}</dt><dd>${format.money(amount, currency)}</dd>`;
  return html`<dl class="sums">${fact(t('invoice.tax'), taxOf(linesOf(payment.invoices), currency))}
<dt class="total">${t('sale.invoiced_now')}</dt><dd class="total">${format.money(payment.total, currency)}</dd>
${fact(t('sale.to_wallet'), payment.toWallet)}${fact(t('act.from_credits'), payment.fromCredits)}${fact(t('act.from_wallet'), payment.fromWallet)}
<dt class="total">${paidBy(visit, payment)}</dt><dd class="total">${format.money(payment.due, currency)}</dd></dl>`;
}

export const taxOf = (lines: readonly Line[], currency: Currency): string =>
  moneyText(sum(lines.map(({ taxAmount }) => dec(taxAmount))), currency);

function paidBy({ t, format, portal }: Visit, { due, dueAt, method }: ChangePayment): string {
  if (dec(due).isZero()) return t('sale.due_nothing');
  const at = format.moment(dueAt);
  return method === null ? t('sale.due_by_customer', { at }) : t('sale.due_charged', { at, method: methodName(portal, method) });
}
