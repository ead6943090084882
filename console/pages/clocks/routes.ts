import { html } from '../../../portal/parts/html.ts';
import { clockView, newestClocks } from '../../../services/console/clocks.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { clockAddress, linkTo } from '../links.ts';
import { pagerOf, placeAsked, tableSection } from '../list-page.ts';
import { operationTabs } from '../operations.ts';
import { clockForms } from './forms.ts';
import { clockBadge, clockContent, isWatching } from './view.ts';

/** Test clocks: what time it is on them, and how to move them. */
export const clockPages = [onGet('/test_clocks', showClocks), ...clockForms, onGet('/test_clock/:id', showClock)];

/** Seconds until the page of an advancing clock shows itself again. */
const WATCH_SECONDS = 3;

async function showClocks(visit: Visit): Promise<ConsoleResponse> {
  const { t, format, visitor } = visit;
  const { rows, next } = await newestClocks(visit.db, visitor.vendorId, { after: placeAsked(visit) });
  const add =
    visitor.scope === 'full' ? html`<a class="button small" href="${CONSOLE_PREFIX}/test_clocks/new">${t('clock.add')}</a>` : null;
  const title = t('clock.list_title');
  const table = tableSection(visit, 'clocks', t('list.newest_first'), {
    columns: [t('clock.name'), t('clock.status'), t('clock.now'), t('clock.next_due')].map((one) => ({ title: one })),
    rows: rows.map((clock) => [
      linkTo(clockAddress(clock.id), clock.name ?? clock.id),
      clockBadge(visit, clock),
      format.moment(clock.now),
      clock.nextDue === null ? '–' : format.moment(clock.nextDue),
    ]),
    side: add,
    foot: pagerOf(visit, next, []),
  });
  return showPage({ title, content: html`<div class="title"><h1>${title}</h1></div>${operationTabs(visit)}${table}` });
}

async function showClock(visit: Visit): Promise<ConsoleResponse> {
  const view = await clockView(visit.db, visit.visitor.vendorId, visit.param('id'));
  if (view === null) return noSuchPage;
  const title = view.clock.name ?? visit.t('clock.one');
  const watch = isWatching(visit, view.clock) ? { refreshSeconds: WATCH_SECONDS } : {};
  return showPage({ title, content: clockContent(visit, view), ...watch });
}
