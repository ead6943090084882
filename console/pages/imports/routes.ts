import { MOST_LINES_COUNTED } from '../../../db/sql/import/list.ts';
import { html } from '../../../portal/parts/html.ts';
import { importView, newestImports } from '../../../services/console/imports.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { importAddress, linkTo } from '../links.ts';
import { pagerOf, placeAsked, tableSection } from '../list-page.ts';
import { operationTabs } from '../operations.ts';
import { importActs } from './acts.ts';
import { importBadge, importContent, isWatching, lineAsked } from './view.ts';

/** Books of customers from other systems: how far each has come, what was refused, and how one is started. */
export const importPages = [onGet('/imports', showImports), onGet('/import/:id', showImport), ...importActs];

/** Seconds until the page of a running import shows itself again. */
const WATCH_SECONDS = 3;

async function showImports(visit: Visit): Promise<ConsoleResponse> {
  const { t, format, visitor } = visit;
  const { rows, next } = await newestImports(visit.db, visitor.vendorId, { after: placeAsked(visit) });
  const count = (lines: number): string =>
    lines > MOST_LINES_COUNTED ? t('import.many', { count: format.number(String(MOST_LINES_COUNTED)) }) : format.number(String(lines));
  const title = t('import.list_title');
  const table = tableSection(visit, 'imports', t('list.newest_first'), {
    columns: [
      { title: t('import.made_at') },
      { title: t('import.status') },
      { title: t('import.waiting'), number: true },
      { title: t('import.refused'), number: true },
    ],
    rows: rows.map(({ id, created, status, waiting, refused }) => [
      html`<div>${linkTo(importAddress(id), format.moment(created))}<br><span class="id">${id}</span></div>`,
      importBadge(visit, { status }),
      count(waiting),
      count(refused),
    ]),
    head: html`<p class="soft">${t('import.list_text')}</p>`,
    foot: pagerOf(visit, next, []),
  });
  return showPage({ title, content: html`<div class="title"><h1>${title}</h1></div>${operationTabs(visit)}${table}` });
}

async function showImport(visit: Visit): Promise<ConsoleResponse> {
  const view = await importView(visit.db, visit.visitor.vendorId, visit.param('id'), lineAsked(visit) ?? 0);
  if (view === null) return noSuchPage;
  const watch = isWatching(visit, view.own) ? { refreshSeconds: WATCH_SECONDS } : {};
  return showPage({ title: visit.t('import.one'), content: importContent(visit, view), ...watch });
}
