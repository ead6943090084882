import { html } from '../../../portal/parts/html.ts';
import { addressWith } from '../../../portal/parts/pager.ts';
import { type Found, find, SHORTEST_PART } from '../../../services/console/find.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, goTo, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { customerTable } from '../customers/view.ts';
import { invoiceTable } from '../invoice-table.ts';
import { linkTo } from '../links.ts';
import { tableSection } from '../list-page.ts';

/** What a text leads to, among customers, contracts, invoices and their references. */
export const findPages = [onGet('/search', showFound)];

const LONGEST = 200;

async function showFound(visit: Visit): Promise<ConsoleResponse> {
  const { query } = visit;
  const text = query('q').slice(0, LONGEST);
  const found = await find(visit.db, visit.visitor.vendorId, text);
  if (found.page !== null) return goTo(`${CONSOLE_PREFIX}/${found.page.type}/${found.page.id}`);
  return showPage({ title: visit.t('find.title', { text }), content: foundContent(visit, text, found) });
}

function foundContent(visit: Visit, text: string, { customers, invoices, hasMore }: Found) {
  const { t } = visit;
  const isShort = text.length < SHORTEST_PART;
  const more = hasMore
    ? html`<p class="links">${linkTo(addressWith(`${CONSOLE_PREFIX}/customers`, { search: text }), t('find.more'))}</p>`
    : null;
  const isNothing = customers.length === 0 && invoices.length === 0;
  return html`<div class="title"><h1>${t('find.title', { text })}</h1></div>
${isNothing ? html`<section><p>${t('find.nothing')}</p><p class="soft">${t(isShort ? 'find.short' : 'find.hint')}</p></section>` : null}
${customers.length === 0 ? null : tableSection(visit, 'customers', t('customer.list_title'), { ...customerTable(visit, customers), foot: more })}
${invoices.length === 0 ? null : tableSection(visit, 'invoices', t('invoice.list_title'), invoiceTable(visit, invoices, true))}`;
}
