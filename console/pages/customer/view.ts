import type { Currency } from '../../../billing/money/currency.ts';
import { mainAddress } from '../../../db/sql/tax/context.ts';
import { countryName } from '../../../portal/pages/account/countries.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { addressWith } from '../../../portal/parts/pager.ts';
import { section } from '../../../portal/parts/section.ts';
import type { CustomerView } from '../../../services/console/customer.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import { contractTable } from '../contract-table.ts';
import { invoiceTable } from '../invoice-table.ts';
import { historyWords } from '../kind-words.ts';
import { linkTo, objectLink } from '../links.ts';
import { pagerOf, tableSection } from '../list-page.ts';
import { callerWords, customerBadge } from '../words.ts';
import { customerActsSection } from './acts.ts';
import { grantsSection, methodsSection } from './money.ts';
import { alertsSection, limitsSection, thresholdsSection, topUpsSection } from './watching.ts';

/** Contracts and invoices, money and means to pay, and what was done to the customer. */
export function customerContent(visit: Visit, view: CustomerView): Html {
  const { t } = visit;
  const { customer } = view;
  return html`${linkUp(t('customer.list_title'))}
<div class="title"><h1>${customer.name || t('customer.no_name')}</h1>${customerBadge(visit, customer)}<p class="id">${customer.id}</p></div>
<div class="columns"><div>
${contracts(visit, view)}
${invoices(visit, view)}
${methodsSection(visit, view)}
${grantsSection(visit, view)}
${topUpsSection(visit, view)}
${limitsSection(visit, view)}
${alertsSection(visit, view)}
${history(visit, view)}
</div><div>
${facts(visit, view)}
${customerActsSection(visit, customer)}
${wallets(visit, view)}
${thresholdsSection(visit, view)}
${logs(visit, customer.id)}
</div></div>`;
}

const linkUp = (title: string): Html => html`<a class="up" href="${CONSOLE_PREFIX}/customers">${title}</a>`;

/** A link to the whole list, where a page shows its beginning. */
const whole = ({ t }: Visit, list: string, customer: string, next: unknown): Html | null =>
  next === null ? null : html`<p class="links">${linkTo(addressWith(`${CONSOLE_PREFIX}/${list}`, { customer }), t('list.whole'))}</p>`;

const contracts = (visit: Visit, { customer, contracts: { rows, next } }: CustomerView): Html =>
  tableSection(visit, 'contracts', visit.t('contract.list_title'), {
    ...contractTable(visit, rows, false),
    foot: whole(visit, 'contracts', customer.id, next),
  });

const invoices = (visit: Visit, { customer, invoices: { rows, next } }: CustomerView): Html =>
  tableSection(visit, 'invoices', visit.t('invoice.list_title'), {
    ...invoiceTable(visit, rows, false),
    foot: whole(visit, 'invoices', customer.id, next),
  });

function facts({ t, format, language }: Visit, { customer, now }: CustomerView): Html {
  const fact = (term: string, value: Html | string | null): Html | null =>
    value === null || value === '' ? null : html`<dt>${term}</dt><dd>${value}</dd>`;
  const address = mainAddress(customer.addresses);
  const lines =
    address === null
      ? null
      : [address.line_1, address.line_2, `${address.zip} ${address.city}`, countryName(address.country, language)]
          .filter(Boolean)
          .join(', ');
  const emails = Object.entries(customer.emails).map(
    ([label, email]) => html`<div>${email} <span class="soft small">${label}</span></div>`,
  );
  return section(
    'facts',
    t('customer.facts_title'),
    html`<dl class="narrow">${fact(t('customer.email'), emails.length === 0 ? null : html`${emails}`)}
${fact(t('customer.reference'), customer.customerReference)}${fact(t('customer.address'), lines)}${fact(t('customer.vat_id'), customer.vatId)}
${fact(t('customer.language'), customer.language === null ? null : t(`frame.language_${customer.language}`))}
${fact(t('customer.since'), format.moment(customer.created))}
${fact(t('customer.active_again'), customer.resumeAt === null ? null : format.moment(customer.resumeAt))}
${fact(t('customer.clock'), customer.clockId === null ? null : html`${format.moment(now)}<br><span class="id">${customer.clockId}</span>`)}
${fact(t('customer.notes'), customer.notes)}
${Object.entries(customer.metadata).map(([name, value]) => fact(name, value))}</dl>`,
  );
}

function wallets({ t, format }: Visit, { wallets: found }: CustomerView): Html {
  const balance = (amount: string, currency: Currency): string => format.money(amount, currency);
  const one = ({ currency, balance: amount, held }: CustomerView['wallets'][number]): Html =>
    html`<p class="figure">${balance(amount, currency)}</p>${/[1-9]/.test(held) ? html`<p class="small soft">${t('customer.held', { amount: balance(held, currency) })}</p>` : null}`;
  return section(
    'wallet',
    t('customer.wallet_title'),
    found.length === 0 ? html`<p class="soft">${t('list.none')}</p>` : html`${found.map(one)}`,
  );
}

/** What the logs say of the customer itself. */
function logs({ t }: Visit, object: string): Html {
  const link = (page: string, text: string): Html => html`<p>${linkTo(addressWith(`${CONSOLE_PREFIX}/${page}`, { object }), text)}</p>`;
  return section('logs', t('customer.logs_title'), html`${link('events', t('log.events_title'))}${link('audit', t('log.audit_title'))}`);
}

/** What was done to the customer, e-mails too; newest first. */
function history(visit: Visit, { history: { rows, next } }: CustomerView): Html {
  const { t, format } = visit;
  return tableSection(visit, 'history', t('customer.history_title'), {
    columns: [t('customer.what'), t('customer.with'), t('log.actor'), t('log.at')].map((title) => ({ title })),
    rows: rows.map(({ at, kind, notes, object, caller_type }) => [
      html`${historyWords(visit, kind)}${notes === null ? null : html`<p class="small soft">${notes}</p>`}`,
      object === null ? null : objectLink(object),
      callerWords(visit, caller_type),
      format.moment(at),
    ]),
    foot: pagerOf(visit, next, []),
  });
}
