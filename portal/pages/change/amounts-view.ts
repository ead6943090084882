import type { ChangePlan } from '../../../billing/contract/change/change.ts';
import { usageSources } from '../../../billing/contract/period/sources.ts';
import type { InvoiceWithLines } from '../../../billing/contract/work.ts';
import type { Line, TaxPolicy } from '../../../billing/invoice/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import type { ChangeReview } from '../../../services/portal/change.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { methodName } from '../methods/name.ts';
import { lineWords } from './line-words.ts';

/** What is charged and given back with a change that happens at once, and how it is paid. */
export function amountsNow(visit: Visit, review: ChangeReview): Html {
  const { t, format } = visit;
  const { payment, plan, own } = review;
  const { currency } = own.snapshot.contract.terms;
  const lines = linesOf(payment.invoices);
  const { waiting, usage } = linesLater(plan, lines);
  const later = sum(usage.map(({ totalIncludingTax }) => dec(totalIncludingTax)));
  return html`<section aria-labelledby="amounts"><div class="head"><h2 id="amounts">${t('change.now_title')}</h2></div>
${lines.length === 0 && waiting.length === 0 ? html`<p>${t('change.nothing_now')}</p>` : null}
${lines.length === 0 ? null : html`${lineTable(visit, lines)}${sums(visit, review)}`}
${waiting.length === 0 ? null : html`${lineTable(visit, waiting)}<p class="soft">${t('change.invoice_later')}</p>`}
${later.isZero() ? null : html`<p class="soft">${t('change.usage_later', { amount: format.money(moneyText(later, currency), currency) })}</p>`}</section>`;
}

/** What is charged when a change that waits takes effect. */
export function amountsThen(visit: Visit, { plan, fresh, own }: ChangeReview): Html {
  const { t, format } = visit;
  const { currency } = fresh.terms;
  const lines = linesOf(plan.priceOnNew);
  const total = moneyText(sum(plan.priceOnNew.map(({ invoice }) => dec(invoice.total))), currency);
  const hasUsage = usageSources(own.snapshot.contract.terms).length > 0;
  return html`<section aria-labelledby="now"><div class="head"><h2 id="now">${t('change.now_title')}</h2></div>
<p>${t('change.nothing_now')}</p></section>
<section aria-labelledby="amounts"><div class="head"><h2 id="amounts">${t('change.later_title', { at: format.moment(plan.activation) })}</h2></div>
${lineTable(visit, lines)}
<dl class="sums">${taxFacts(visit, lines, currency)}<dt class="total">${t('change.sum')}</dt><dd class="total">${format.money(total, currency)}</dd></dl>
${hasUsage ? html`<p class="soft">${t('change.usage_with_period')}</p>` : null}</section>`;
}

/**
 * What comes on invoices made later: lines that the change writes and the vendor invoices by hand, and usage that
 * closes later. Lines that waited before the change are none of its own.
 */
export function linesLater({ outcome, remainsToPay, priceOnNew }: ChangePlan, now: readonly Line[]): { waiting: Line[]; usage: Line[] } {
  const shown = new Set(now.map(({ id }) => id));
  const written = new Set(outcome.effects.lines.map(({ id }) => id));
  const later = linesOf([...remainsToPay, ...priceOnNew]).filter(({ id }) => !shown.has(id));
  return {
    waiting: later.filter(({ id }) => written.has(id)),
    usage: later.filter(({ id, kind }) => kind === 'usage' && !written.has(id)),
  };
}

const linesOf = (invoices: readonly InvoiceWithLines[]): Line[] => invoices.flatMap(({ lines }) => lines);

/** Two columns fit on a phone too. The line that moves a surplus is no item: the sums say it. */
function lineTable(visit: Visit, lines: readonly Line[]): Html {
  const { t, format } = visit;
  const rows = lines
    .filter(({ kind }) => kind !== 'wallet')
    .map((line) => {
      const { text, notes, amount } = lineWords(visit, line);
      const words = html`${text}${notes.map((note) => html`<br><span class="soft small">${note}</span>`)}`;
      return html`<tr><th scope="row">${words}</th><td class="number">${format.money(amount, line.currency)}</td></tr>`;
    });
  return html`<table class="lines" aria-labelledby="amounts">
<thead><tr><th scope="col">${t('change.item')}</th><th scope="col" class="number">${t('change.amount')}</th></tr></thead>
<tbody>${rows}</tbody></table>
`;
}

function sums(visit: Visit, { payment, own }: ChangeReview): Html {
  const { t, format } = visit;
  const { currency } = own.snapshot.contract.terms;
  const money = (amount: string): string => format.money(amount, currency);
  const fact = (title: string, amount: string): Html | null =>
    dec(amount).isZero() ? null : html`<dt>${title}</dt><dd>${money(amount)}</dd>`;
  const lines = linesOf(payment.invoices);
  return html`<dl class="sums">${taxFacts(visit, lines, currency)}
<dt class="total">${t('change.sum')}</dt><dd class="total">${money(payment.total)}</dd>
${fact(t('change.to_wallet'), payment.toWallet)}
${dec(payment.fromCredits).isZero() ? null : fact(t('change.from_credits'), moneyText(dec(payment.fromCredits).neg(), currency))}
${dec(payment.fromWallet).isZero() ? null : fact(t('change.from_wallet'), moneyText(dec(payment.fromWallet).neg(), currency))}
${dec(payment.due).isZero() ? null : html`<dt class="total">${paidBy(visit, { payment, own })}</dt><dd class="total">${money(payment.due)}</dd>`}</dl>`;
}

/** Tax is a part of a line's amount, or comes on top of it; after a change of the vendor's policy there may be both. */
function taxFacts({ t, format }: Visit, lines: readonly Line[], currency: Currency): Html[] {
  const taxOf = (policy: TaxPolicy): string =>
    moneyText(sum(lines.filter(({ taxPolicy }) => taxPolicy === policy).map(({ taxAmount }) => dec(taxAmount))), currency);
  const facts = [
    { title: t('change.tax_in'), tax: taxOf('tax_included') },
    { title: t('change.tax_plus'), tax: taxOf('tax_excluded') },
  ];
  return facts
    .filter(({ tax }) => !dec(tax).isZero())
    .map(({ title, tax }) => html`<dt>${title}</dt><dd>${format.money(tax, currency)}</dd>`);
}

function paidBy(visit: Visit, { payment, own }: Pick<ChangeReview, 'payment' | 'own'>): string {
  const { t, format } = visit;
  const at = format.moment(payment.dueAt);
  if (payment.method === null) return t('change.to_be_paid', { at });
  const method = methodName(visit, payment.method);
  return payment.dueAt <= own.now ? t('change.charged_to', { method }) : t('change.charged_at', { at, method });
}
