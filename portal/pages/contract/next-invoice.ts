import type { Line } from '../../../billing/invoice/types.ts';
import { type Decimal, dec, sum } from '../../../billing/money/decimal.ts';
import type { ForeseenInvoice } from '../../../services/contract/upcoming-invoice.ts';
import type { PortalSubscription } from '../../../services/portal/subscription.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { section } from '../../parts/section.ts';
import { table } from '../../parts/table.ts';
import { lineWords } from '../change/line-words.ts';

/** Lines of an invoice that a page shows; a longer one is read as a PDF once it is made. */
const MOST_LINES = 100;

/** What the next invoice will be, line by line, with discount, tax and what the wallet pays. */
export function nextInvoiceSection(visit: Visit, { upcoming }: PortalSubscription): Html {
  const { t, customer, look } = visit;
  const title = t('contract.next_title');
  if (upcoming === 'late') return section('next', title, html`<p class="soft">${t('contract.next_late')}</p>`);
  const { first, others, waiting } = upcoming;
  const none = t(customer.status === 'inactive' ? 'contract.next_paused' : 'contract.next_none');
  const invoices =
    first === null ? html`<p class="soft">${none}</p>` : html`${[first, ...others].map((one, at) => invoiceParts(visit, one, at))}`;
  const count = waiting.length;
  const rest = count === 0 ? null : html`<p class="soft">${t('contract.waiting_text', { count, vendor: look.name })}</p>`;
  return section('next', title, html`${invoices}${rest}`);
}

function invoiceParts(visit: Visit, foreseen: ForeseenInvoice, at: number): Html {
  const { t, format } = visit;
  const { invoice, lines } = foreseen;
  const columns = [{ title: t('contract.item') }, { title: t('contract.amount'), number: true }];
  const items = lines.filter(({ kind }) => kind !== 'wallet').slice(0, MOST_LINES);
  const rows = items.map((line) => {
    const { text, notes, amount } = lineWords(visit, line);
    return [html`<div>${text}${notes.map((note) => html`<p class="small soft">${note}</p>`)}</div>`, format.money(amount, line.currency)];
  });
  const id = `next-lines-${at}`;
  return html`<p class="lead" id="${id}">${t('contract.next_text', { day: format.moment(invoice.date) })}</p>
${table({ labelledBy: id, columns, rows })}
${sums(visit, foreseen)}
<p class="small soft">${t('contract.due_on', { day: format.day(invoice.dueDate) })}</p>`;
}

/** From the lines to what is to be paid: tax, the sum, and what credits and wallet pay of it. */
function sums({ t, format }: Visit, { invoice, lines, fromCredits, amountDue }: ForeseenInvoice): Html {
  const money = (amount: string): string => format.money(amount, invoice.currency);
  const paid = dec(invoice.total).minus(amountDue);
  const fromWallet = paid.minus(fromCredits);
  const less = (title: string, amount: Decimal): Html | null =>
    amount.isZero() ? null : html`<dt>${title}</dt><dd>${money(amount.neg().toFixed())}</dd>\n`;
  return html`<dl class="sums">${taxFacts({ t, format }, lines, money)}
<dt class="total">${t('contract.total')}</dt><dd class="total">${money(invoice.total)}</dd>
${
  paid.isZero()
    ? null
    : html`${less(t('contract.from_credits'), dec(fromCredits))}${less(t('contract.from_wallet'), fromWallet)}<dt class="total">${t('contract.to_pay')}</dt><dd class="total">${money(amountDue)}</dd>`
}</dl>`;
}

const TAX = {
  tax_excluded: { plain: 'contract.tax', rated: 'contract.tax_rate' },
  tax_included: { plain: 'contract.tax_included', rated: 'contract.tax_included_rate' },
} as const;

/** A sum for each rate and policy; tax is a part of a line's amount or comes on top of it. */
function taxFacts({ t, format }: Pick<Visit, 't' | 'format'>, lines: readonly Line[], money: (amount: string) => string): Html | null {
  const taxed = lines.filter(({ taxAmount }) => !dec(taxAmount).isZero());
  if (taxed.length === 0) return null;
  const net = sum(lines.map(({ totalExcludingTax }) => dec(totalExcludingTax))).toFixed();
  const groups = Map.groupBy(taxed, ({ taxPolicy, taxRate }) => `${taxPolicy} ${taxRate}`);
  const facts = [...groups.values()].map((some) => {
    const { taxPolicy = 'tax_excluded', taxRate = null } = some[0] ?? {};
    const title = taxRate === null ? t(TAX[taxPolicy].plain) : t(TAX[taxPolicy].rated, { rate: format.rate(taxRate) });
    return html`<dt>${title}</dt><dd>${money(sum(some.map(({ taxAmount }) => dec(taxAmount))).toFixed())}</dd>`;
  });
  return html`<dt>${t('contract.net')}</dt><dd>${money(net)}</dd>${facts}`;
}
