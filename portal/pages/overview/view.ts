import { mainAddress } from '../../../db/sql/tax/context.ts';
import type { PortalOverview } from '../../../services/portal/overview.ts';
import type { Visit } from '../../http/visit.ts';
import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';
import { table } from '../../parts/table.ts';
import { contractSection } from './contract.ts';

/** Contracts with period and usage, invoices, credit notes and the customer's data. */
export function overviewContent(visit: Visit, overview: PortalOverview): Html {
  const { t } = visit;
  const { customer, contracts, used } = overview;
  return html`<div class="title"><h1>${customer.name || t('overview.account_title')}</h1></div>
${contracts.length === 0 ? html`<section><h2>${t('overview.no_contract_title')}</h2><p class="soft">${t('overview.no_contract_text')}</p></section>` : null}
${contracts.map((listed) => contractSection(visit, listed, used.get(listed.contract.id) ?? new Map()))}
${openInvoices(visit, overview)}
${paidInvoices(visit, overview)}
${creditNotes(visit, overview)}
${account(visit, overview)}`;
}

const section = (id: string, title: string, content: Html): Html => html`<section aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2></div>
${content}</section>
`;

function openInvoices({ t, format }: Reader, { openInvoices: invoices, wallets }: PortalOverview): Html {
  const balances = wallets.map(
    ({ currency, balance }) => html`<p>${t.html('overview.wallet', { balance: format.money(balance, currency) })}</p>`,
  );
  const columns = [
    { title: t('overview.number') },
    { title: t('overview.date') },
    { title: t('overview.due') },
    { title: t('overview.total'), number: true },
    { title: t('overview.to_pay'), number: true },
  ];
  const rows = invoices.map(({ id, number, date, dueDate, currency, total, amountDue }) => [
    download(id, number),
    format.shortDay(date),
    format.shortDay(dueDate),
    format.money(total, currency),
    html`<strong>${format.money(amountDue, currency)}</strong>`,
  ]);
  const list = rows.length === 0 ? html`<p class="soft">${t('overview.nothing_open')}</p>` : table({ labelledBy: 'open', columns, rows });
  return section('open', t('overview.open_title'), html`${list}${balances}`);
}

function paidInvoices({ t, format }: Reader, { paidInvoices: invoices }: PortalOverview): Html | null {
  if (invoices.length === 0) return null;
  const columns = [{ title: t('overview.number') }, { title: t('overview.date') }, { title: t('overview.total'), number: true }];
  const rows = invoices.map(({ id, number, date, currency, total }) => [
    download(id, number),
    format.shortDay(date),
    format.money(total, currency),
  ]);
  return section('paid', t('overview.paid_title'), table({ labelledBy: 'paid', columns, rows }));
}

function creditNotes({ t, format }: Reader, { creditNotes: notes, openInvoices, paidInvoices: paid }: PortalOverview): Html | null {
  if (notes.length === 0) return null;
  const numbers = new Map([...openInvoices, ...paid].map(({ id, number }) => [id, number]));
  const columns = [
    { title: t('overview.number') },
    { title: t('overview.date') },
    { title: t('overview.of_invoice') },
    { title: t('overview.credited'), number: true },
  ];
  const rows = notes.map(({ number, created, invoiceId, currency, total }) => [
    number,
    format.shortDay(created),
    numbers.get(invoiceId) ?? '–',
    format.money(total, currency),
  ]);
  return section('credited', t('overview.credit_notes_title'), table({ labelledBy: 'credited', columns, rows }));
}

/** "visa ending in 4242"; what the provider doesn't report is left out. */
function methodText({ t }: Reader, { method }: PortalOverview): string {
  if (method === null) return '–';
  const { brand, last4 } = method.details;
  const name = brand ?? t(`overview.method_${method.type}`);
  return last4 === null ? name : t('overview.method_ending', { name, digits: last4 });
}

const download = (id: string, number: string): Html => html`<a href="/portal/invoice/${id}">${number}</a>`;

function account(reader: Reader, overview: PortalOverview): Html {
  const { t } = reader;
  const { customer } = overview;
  const address = mainAddress(customer.addresses);
  const lines = address
    ? [address.line_1, address.line_2, [address.zip, address.city].filter(Boolean).join(' '), address.country].filter(Boolean)
    : [];
  const emails = Object.values(customer.emails);
  const facts = html`<dl>
<dt>${t('overview.name')}</dt><dd>${customer.name || '–'}</dd>
<dt>${t('overview.email')}</dt><dd>${emails.length === 0 ? '–' : emails.join(', ')}</dd>
<dt>${t('overview.address')}</dt><dd>${lines.length === 0 ? '–' : lines.join(', ')}</dd>
<dt>${t('overview.method')}</dt><dd>${methodText(reader, overview)}</dd>
${customer.vatId ? html`<dt>${t('overview.vat_id')}</dt><dd>${customer.vatId}</dd>` : null}
</dl>`;
  return section('account', t('overview.account_title'), facts);
}
