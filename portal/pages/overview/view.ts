import { mainAddress } from '../../../db/sql/tax/context.ts';
import type { PortalOverview } from '../../../services/portal/overview.ts';
import { placeText } from '../../../services/portal/place.ts';
import { vendorText } from '../../http/vendor-text.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { addressWith, pager } from '../../parts/pager.ts';
import { section } from '../../parts/section.ts';
import { countryName } from '../account/countries.ts';
import { contractCard } from '../contract/card.ts';
import { gateNotice } from '../gate/view.ts';
import { documentTable } from '../invoices/view.ts';
import { methodName } from '../methods/name.ts';
import { invoiceNotice } from './notices.ts';

/**
 * The overview: what needs the customer, subscriptions, open invoices, the latest documents, payment methods and
 * billing data.
 */
export function overviewContent(visit: Visit, overview: PortalOverview, isFirst: boolean): Html {
  const { t, customer } = visit;
  return html`<div class="title"><h1>${customer.name || t('overview.account_title')}</h1></div>
${vendorText(visit, 'welcome')}
${invoiceNotice(visit, overview.open)}
${gateNotice(visit, overview.contracts.rows)}
<div class="columns"><div>
${contracts(visit, overview, isFirst)}
${openInvoices(visit, overview)}
${documents(visit, overview)}
</div><div>
${method(visit, overview)}
${credits(visit, overview)}
${wallet(visit, overview)}
${account(visit)}
</div></div>`;
}

function contracts(visit: Visit, { contracts: { rows, next }, charges }: PortalOverview, isFirst: boolean): Html {
  const { t } = visit;
  if (rows.length === 0)
    return html`<section><h2>${t('overview.no_contract_title')}</h2><p class="soft">${t('overview.no_contract_text')}</p></section>`;
  const older = next === null ? null : addressWith('/portal', { after: placeText(next) });
  const titles = { older: t('overview.more_contracts'), newest: t('overview.first_contracts') };
  return html`${rows.map((placed) => contractCard(visit, placed, charges.get(placed.contract.id) ?? null))}
${pager({ older, newest: isFirst ? null : '/portal', titles })}`;
}

function openInvoices(visit: Visit, { open: { invoices, more } }: PortalOverview): Html {
  const { t } = visit;
  const rest = more ? html`<p><a href="/portal/invoices?show=open">${t('overview.more_open')}</a></p>` : null;
  const content = invoices.length === 0 ? html`<p class="soft">${t('overview.nothing_open')}</p>` : documentTable(visit, 'open', invoices);
  return section('open', t('overview.open_title'), html`${content}${rest}`);
}

function documents(visit: Visit, { documents: found }: PortalOverview): Html {
  const { t } = visit;
  const links = html`<p class="links"><a href="/portal/invoices">${t('overview.all_documents')}</a> <a href="/portal/payments">${t('overview.all_payments')}</a></p>`;
  const content =
    found.length === 0
      ? html`<p class="soft">${t('overview.no_documents')}</p>`
      : html`${documentTable(visit, 'documents', found, true)}${links}`;
  return section('documents', t('overview.documents_title'), content);
}

function method(visit: Visit, { method: found }: PortalOverview): Html {
  const { t } = visit;
  const words = found === null ? html`<p class="soft">${t('overview.no_method')}</p>` : html`<p>${methodName(visit, found)}</p>`;
  return section(
    'method',
    t('overview.method_title'),
    html`${words}<p class="links"><a href="/portal/methods">${t('overview.all_methods')}</a></p>`,
  );
}

/** What is left of prepaid credits, with the part that ends first. */
function credits({ t, format }: Visit, { credits: found }: PortalOverview): Html | null {
  if (found.length === 0) return null;
  const rows = found.map(({ currency, left, ends }) => {
    const until = ends.map(
      ({ amount, at }) => html`<li>${t('overview.credits_until', { amount: format.money(amount, currency), day: format.day(at) })}</li>`,
    );
    return html`<p class="figure">${format.money(left, currency)}</p>${until.length === 0 ? null : html`<ul class="small soft">${until}</ul>`}`;
  });
  return section('credits', t('overview.credits_title'), html`${rows}<p class="small soft">${t('overview.credits_text')}</p>`);
}

function wallet({ t, format }: Visit, { wallets }: PortalOverview): Html | null {
  if (wallets.length === 0) return null;
  const balances = wallets.map(({ currency, balance }) => html`<p class="figure">${format.money(balance, currency)}</p>`);
  return section('wallet', t('overview.wallet_title'), html`${balances}<p class="small soft">${t('overview.wallet_text')}</p>`);
}

function account({ t, customer, language }: Visit): Html {
  const address = mainAddress(customer.addresses);
  const lines = address
    ? [address.line_1, address.line_2, [address.zip, address.city].filter(Boolean).join(' ')]
        .filter(Boolean)
        .concat(countryName(address.country, language))
    : [];
  const emails = Object.values(customer.emails);
  return section(
    'account',
    t('overview.account_title'),
    html`<dl class="narrow">
<dt>${t('overview.name')}</dt><dd>${customer.name || '–'}</dd>
<dt>${t('overview.email')}</dt><dd>${emails.length === 0 ? '–' : emails.join(', ')}</dd>
<dt>${t('overview.address')}</dt><dd>${lines.length === 0 ? '–' : lines.join(', ')}</dd>
${customer.vatId ? html`<dt>${t('overview.vat_id')}</dt><dd>${customer.vatId}</dd>` : null}
</dl><p class="links"><a href="/portal/account">${t('overview.edit_account')}</a></p>`,
  );
}
