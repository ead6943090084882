import { mainAddress } from '../../db/mapping/tax.ts';
import type { PortalOverview } from '../../db/portal/overview.ts';
import { contractSection } from './contract.ts';
import { moment, money } from './format.ts';
import { type Html, html, page } from './html.ts';

/** All a customer needs to know on one page: plans with their periods and usage, what is open, how they are known to us. */
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
${wallets.map(({ currency, balance }) => html`<p>Credit in your wallet: <strong>${money(balance, currency)}</strong></p>`)}
</section>`;
}

function paidInvoices({ paidInvoices: invoices }: PortalOverview): Html | null {
  if (invoices.length === 0) return null;
  const rows = invoices.map(
    ({ id, number, date, currency, total }) => html`<tr>
<th scope="row">${download(id, number)}</th><td>${moment(date)}</td><td class="number">${money(total, currency)}</td></tr>`,
  );
  return html`<section aria-labelledby="paid">
<div class="head"><h2 id="paid">Paid invoices</h2></div>
<div class="scroll" role="region" aria-labelledby="paid" tabindex="0"><table>
<thead><tr><th scope="col">Number</th><th scope="col">Date</th><th scope="col" class="number">Total</th></tr></thead>
<tbody>${rows}</tbody></table></div>
</section>`;
}

const download = (id: string, number: string): Html => html`<a href="/portal/invoice/${id}">${number}</a>`;

function invoiceTable(invoices: PortalOverview['openInvoices']): Html {
  const rows = invoices.map(
    ({ id, number, date, dueDate, currency, total, amountDue }) => html`<tr>
<th scope="row">${download(id, number)}</th><td class="wide">${moment(date)}</td><td>${moment(dueDate)}</td>
<td class="number wide">${money(total, currency)}</td><td class="number"><strong>${money(amountDue, currency)}</strong></td></tr>`,
  );
  return html`<div class="scroll" role="region" aria-labelledby="open" tabindex="0"><table>
<thead><tr><th scope="col">Number</th><th scope="col" class="wide">Date</th><th scope="col">Due</th><th scope="col" class="number wide">Total</th><th scope="col" class="number">To pay</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function account({ customer }: PortalOverview): Html {
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
${customer.vatId ? html`<dt>VAT id</dt><dd>${customer.vatId}</dd>` : null}
</dl>
</section>`;
}
