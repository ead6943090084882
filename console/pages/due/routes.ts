import { type Html, html } from '../../../portal/parts/html.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { type DueView, dueView, type WaitingContract } from '../../../services/console/due.ts';
import { type ConsoleResponse, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { dueWords } from '../kind-words.ts';
import { contractAddress, customerAddress, linkTo, objectLink } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { operationTabs } from '../operations.ts';

/** What is due and isn't done: contracts that wait for somebody, and what is late. */
export const duePages = [onGet('/due', showDue)];

async function showDue(visit: Visit): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const view = await dueView(visit.db, visit.visitor.vendorId, query('test_clock') || null);
  const content = html`<div class="title"><h1>${t('late.title')}</h1></div>${operationTabs(visit)}${clockForm(visit, view)}
${parkedSection(visit, view.parked)}${overdueSection(visit, view)}`;
  return showPage({ title: t('late.title'), content });
}

/** The choice of a clock; nothing if there are no test clocks. */
function clockForm({ t, query, path }: Visit, { clocks }: DueView): Html | null {
  if (clocks.length === 0) return null;
  const options = [{ value: '', text: t('home.wall_clock') }, ...clocks.map(({ id, name }) => ({ value: id, text: name ?? id }))];
  return html`<form class="filter" action="${path}">${selectField({ name: 'test_clock', label: t('home.clock'), value: query('test_clock'), options })}
<button type="submit">${t('home.show')}</button></form>`;
}

function parkedSection(visit: Visit, parked: readonly WaitingContract[]): Html {
  const { t, format, visitor } = visit;
  const mayAct = visitor.scope === 'full';
  const titles = [t('contract.plan'), t('customer.one'), t('contract.parked_reason'), t('late.since')];
  return tableSection(visit, 'parked', t('home.parked_title'), {
    columns: [...titles.map((title) => ({ title })), ...(mayAct ? [{ title: t('act.title'), hideTitle: true }] : [])],
    rows: parked.map((one) => [
      linkTo(contractAddress(one.id), one.planName),
      linkTo(customerAddress(one.customerId), one.customerName || t('customer.no_name')),
      html`<span lang="en">${one.reason}</span>`,
      one.dueSince === null ? '–' : format.moment(one.dueSince),
      ...(mayAct ? [html`<a class="button small" href="${contractAddress(one.id)}/resume">${t('act.resume')}</a>`] : []),
    ]),
  });
}

function overdueSection(visit: Visit, { overdue, hasMore }: DueView): Html {
  const { t, format } = visit;
  const more = hasMore ? html`<p class="soft">${t('late.more')}</p>` : null;
  return tableSection(visit, 'overdue', t('late.overdue_title'), {
    columns: [t('contract.due_what'), t('clock.of'), t('late.since')].map((title) => ({ title })),
    rows: overdue.map(({ kind, contractId, customerId, dueAt }) => [
      dueWords(visit, kind),
      objectLink(contractId ?? customerId),
      format.moment(dueAt),
    ]),
    foot: html`${more}<p class="small soft">${t('late.overdue_text')}</p>`,
  });
}
