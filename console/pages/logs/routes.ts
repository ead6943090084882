import type { ListedAudit } from '../../../db/sql/audit/list.ts';
import type { LoggedEvent } from '../../../db/sql/webhook/read-news.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { newestAudit, newestEvents } from '../../../services/console/lists.ts';
import { namesOfPeople } from '../../../services/console/people.ts';
import type { ConsoleResponse } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { listResponse } from '../filtered-list.ts';
import { objectLink } from '../links.ts';
import { placeAsked } from '../list-page.ts';
import { callerWords } from '../words.ts';

/** The two logs: what happened, and who changed what. */
export const logPages = [onGet('/events', showEvents), onGet('/audit', showAudit)];

async function showEvents(visit: Visit): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const filter = { object: query('object') || undefined, type: query('type') || undefined };
  const page = await newestEvents(visit.db, visit.visitor.vendorId, filter, { after: placeAsked(visit) });
  return listResponse(visit, {
    title: t('log.events_title'),
    texts: [
      { name: 'object', label: t('log.object') },
      { name: 'type', label: t('log.type') },
    ],
    choice: null,
    table: {
      columns: [t('log.type'), t('log.object'), t('log.at'), t('log.data')].map((title) => ({ title })),
      rows: page.rows.map((event) => eventRow(visit, event)),
    },
    next: page.next,
  });
}

const eventRow = ({ t, format }: Visit, { type, id, objectId, timestamp, data }: LoggedEvent): (Html | string)[] => [
  html`<div><span class="word">${type}</span><br><span class="id">${id}</span></div>`,
  objectLink(objectId),
  html`<span class="moment">${format.moment(timestamp)}</span>`,
  jsonDetails(t('log.show'), data),
];

async function showAudit(visit: Visit): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const filter = { object: query('object') || undefined, actor: query('actor') || undefined };
  const page = await newestAudit(visit.db, visit.visitor.vendorId, filter, { after: placeAsked(visit) });
  const ids = page.rows.map(({ caller_id }) => caller_id);
  const names = await namesOfPeople(visit.db, visit.visitor.vendorId, ids);
  return listResponse(visit, {
    title: t('log.audit_title'),
    texts: [
      { name: 'object', label: t('log.object') },
      { name: 'actor', label: t('log.actor') },
    ],
    choice: null,
    table: {
      columns: [t('log.action'), t('log.actor'), t('log.object'), t('log.at'), t('log.change')].map((title) => ({ title })),
      rows: page.rows.map((entry) => auditRow(visit, entry, names)),
    },
    next: page.next,
  });
}

const auditRow = (visit: Visit, entry: ListedAudit, names: ReadonlyMap<string, string>): (Html | string)[] => [
  html`<span class="word">${entry.action}</span>`,
  html`<div>${names.get(entry.caller_id ?? '') ?? callerWords(visit, entry.caller_type)}${entry.caller_id === null ? null : html`<br>${objectLink(entry.caller_id)}`}</div>`,
  objectLink(entry.object_id),
  html`<span class="moment">${visit.format.moment(entry.at)}</span>`,
  jsonDetails(visit.t('log.show'), { before: entry.before, after: entry.after }),
];

/** Values as they are stored, behind a summary: they can be long. */
const jsonDetails = (summary: string, value: object): Html =>
  html`<details><summary>${summary}</summary><pre>${JSON.stringify(value, null, 2)}</pre></details>`;
