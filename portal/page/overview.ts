import type { MethodType } from '../../billing/payment/types.ts';
import { mainAddress } from '../../db/sql/tax/context.ts';
import type { PortalOverview } from '../../services/portal/overview.ts';
import { contractSection } from './contract.ts';
import { moment, moneyLabel } from './format.ts';
import { type Html, html, page } from './html.ts';

const METHODS: Record<MethodType, string> = { card: 'card', sepa_debit: 'SEPA direct debit', vban_bank_transfer_eu: 'bank transfer' };

/** The only page of a session: contracts with period and usage, invoices, credit notes and the customer's data. */
export function overviewPage(overview: PortalOverview): string {
  const { vendorName, customer, contracts, used } = overview;
  return page(
    `${customer.name || 'Your account'} – ${vendorName}`,
    html`<header>
<div><p class="vendor">${vendorName}</p><h1>${customer.name || 'Your account'}</h1></div>
<form method="post" action="/portal/leave"><button type="submit">Leave</button></form>
</header>
${stateNotice(overview)}
${contracts.length === 0 ? html`<section><h2>No subscription</h2><p class="soft">There is no running subscription at the moment.</p></section>` : null}
${contracts.map((listed) => contractSection(listed, used.get(listed.contract.id) ?? new Map()))}
${openInvoices(overview)}
${paidInvoices(overview)}
${creditNotes(overview)}
${account(overview)}`,
  );
}

function stateNotice({ customer }: PortalOverview): Html | null {
  if (customer.status !== 'inactive') return null;
  return html`<p class="notice" role="status"><strong>This account is paused.</strong> Nothing is charged until it is active again, and no paid day is lost.</p>`;
}

function openInvoices({ openInvoices: invoices, wallets }: PortalOverview): Html {
  return html`<section aria-labelledby="open">
<div class="head"><h2 id="open">Open invoices</h2></div>
${invoices.length === 0 ? html`<p class="soft">Nothing is open.</p>` : invoiceTable(invoices)}
${wallets.map(({ currency, balance }) => html`<p>Credit in your wallet: <strong>${moneyLabel(balance, currency)}</strong></p>`)}
</section>`;
}

function paidInvoices({ paidInvoices: invoices }: PortalOverview): Html | null {
  if (invoices.length === 0) return null;
  const rows = invoices.map(
    ({ id, number, date, currency, total }) => html`<tr>
<th scope="row">${download(id, number)}</th><td>${moment(date)}</td><td class="number">${moneyLabel(total, currency)}</td></tr>`,
  );
  return html`<section aria-labelledby="paid">
<div class="head"><h2 id="paid">Paid invoices</h2></div>
<div class="scroll" role="region" aria-labelledby="paid" tabindex="0"><table>
<thead><tr><th scope="col">Number</th><th scope="col">Date</th><th scope="col" class="number">Total</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</section>`;
}

function creditNotes({ creditNotes: notes, openInvoices, paidInvoices: paid }: PortalOverview): Html | null {
  if (notes.length === 0) return null;
  const numbers = new Map([...openInvoices, ...paid].map(({ id, number }) => [id, number]));
  const rows = notes.map(
    ({ number, created, invoiceId, currency, total }) => html`<tr>
<th scope="row">${number}</th><td>${moment(created)}</td><td>${numbers.get(invoiceId) ?? '–'}</td><td class="number">${moneyLabel(total, currency)}</td></tr>`,
  );
  return html`<section aria-labelledby="credited">
<div class="head"><h2 id="credited">Credit notes</h2></div>
<div class="scroll" role="region" aria-labelledby="credited" tabindex="0"><table>
<thead><tr><th scope="col">Number</th><th scope="col">Date</th><th scope="col">Of invoice</th><th scope="col" class="number">Credited</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</section>`;
}

/** "visa ending in 4242"; what the provider doesn't report is left out. */
function methodText({ method }: PortalOverview): string {
  if (method === null) return '–';
  const { brand, last4 } = method.details;
  return [brand ?? METHODS[method.type], last4 === null ? null : `ending in ${last4}`].filter(Boolean).join(' ');
}

const download = (id: string, number: string): Html => html`<a href="/portal/invoice/${id}">${number}</a>`;

function invoiceTable(invoices: PortalOverview['openInvoices']): Html {
  const rows = invoices.map(
    ({ id, number, date, dueDate, currency, total, amountDue }) => html`<tr>
<th scope="row">${download(id, number)}</th><td class="wide">${moment(date)}</td><td>${moment(dueDate)}</td>
<td class="number wide">${moneyLabel(total, currency)}</td><td class="number"><strong>${moneyLabel(amountDue, currency)}</strong></td></tr>`,
  );
  return html`<div class="scroll" role="region" aria-labelledby="open" tabindex="0"><table>
<thead><tr><th scope="col">Number</th><th scope="col" class="wide">Date</th><th scope="col">Due</th><th scope="col" class="number wide">Total</th><th scope="col" class="number">To pay</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function account(overview: PortalOverview): Html {
  const { customer } = overview;
  const address = mainAddress(customer.addresses);
  const lines = address
    ? [address.line_1, address.line_2, [address.zip, address.city].filter(Boolean).join(' '), address.country].filter(Boolean)
    : [];
  const emails = Object.values(customer.emails);
  return html`<section aria-labelledby="account">
<div class="head"><h2 id="account">Your account</h2></div>
<dl>
<dt>Name</dt><dd>${customer.name || '–'}</dd>
<dt>E-mail</dt><dd>${emails.length === 0 ? '–' : emails.join(', ')}</dd>
<dt>Address</dt><dd>${lines.length === 0 ? '–' : lines.join(', ')}</dd>
<dt>Payment method</dt><dd>${methodText(overview)}</dd>
${customer.vatId ? html`<dt>VAT id</dt><dd>${customer.vatId}</dd>` : null}
</dl>
</section>`;
}
