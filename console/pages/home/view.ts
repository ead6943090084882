import { planName } from '../../../billing/contract/period/sources.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { reasonKey } from '../../../portal/parts/reason.ts';
import { selectField } from '../../../portal/parts/select.ts';
import type { ConsoleHome } from '../../../services/console/home.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, customerAddress, invoiceAddress, linkTo } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { failingEndpoints } from '../webhooks/list.ts';
import { figuresContent } from './figures.ts';

/** What needs somebody first, then the figures. */
export function homeContent(visit: Visit, found: ConsoleHome): Html {
  return html`<div class="title"><h1>${visit.t('home.title')}</h1></div>
${clockForm(visit, found)}
${parkedSection(visit, found)}
${failingEndpoints(visit, found.webhooks)}
${figuresContent(visit, found.figures)}
${failedSection(visit, found)}
${trialsSection(visit, found)}`;
}

/**
 * The choice of the customers that count: the wall clock's or a test clock's. No choice if there are no test clocks.
 */
function clockForm({ t, query }: Visit, { clocks }: ConsoleHome): Html | null {
  if (clocks.length === 0) return null;
  const options = [{ value: '', text: t('home.wall_clock') }, ...clocks.map(({ id, name }) => ({ value: id, text: name ?? id }))];
  return html`<form class="filter" action="${CONSOLE_PREFIX}">${selectField({ name: 'test_clock', label: t('home.clock'), value: query('test_clock'), options })}
<button type="submit">${t('home.show')}</button></form>`;
}

const customerLink = ({ t }: Visit, id: string, name: string): Html => linkTo(customerAddress(id), name || t('customer.no_name'));

function parkedSection(visit: Visit, { parked }: ConsoleHome): Html | null {
  if (parked.length === 0) return null;
  const { t } = visit;
  return tableSection(visit, 'parked', t('home.parked_title'), {
    columns: [{ title: t('contract.plan') }, { title: t('customer.one') }, { title: t('contract.parked_reason') }],
    rows: parked.map((one) => [
      linkTo(contractAddress(one.id), one.planName),
      customerLink(visit, one.customerId, one.customerName),
      one.reason,
    ]),
  });
}

/** Why each payment failed, and when it is tried again by itself. */
function failedSection(visit: Visit, { failed, failedSums }: ConsoleHome): Html {
  const { t, format, portal } = visit;
  const sums = failedSums.map(({ currency, invoices, due, since }) => {
    const said = { due: format.money(due, currency), count: invoices, since: format.money(since, currency) };
    return html`<p>${t('home.failed_sum', said)}</p>`;
  });
  return tableSection(visit, 'failed', t('home.failed_title'), {
    head: html`${sums}`,
    columns: [
      { title: t('invoice.one') },
      { title: t('customer.one') },
      { title: t('home.reason') },
      { title: t('home.next_try') },
      { title: t('invoice.due'), number: true },
    ],
    rows: failed.map(({ customerId, customerName, invoice }) => [
      linkTo(invoiceAddress(invoice.id), invoice.number),
      customerLink(visit, customerId, customerName),
      portal.t(`reasons.${reasonKey(invoice.reason)}`),
      invoice.collectedAt === null ? t('home.no_try') : format.moment(invoice.collectedAt),
      format.money(invoice.amountDue, invoice.currency),
    ]),
  });
}

function trialsSection(visit: Visit, { trials }: ConsoleHome): Html {
  const { t, format } = visit;
  return tableSection(visit, 'trials', t('home.trials_title'), {
    columns: [{ title: t('contract.plan') }, { title: t('customer.one') }, { title: t('contract.trial_end') }],
    rows: trials.map(({ contract, customerName, end }) => [
      linkTo(contractAddress(contract.id), planName(contract.terms)),
      customerLink(visit, contract.customerId, customerName),
      end === null ? '–' : format.moment(end),
    ]),
  });
}
