import type { ListedTry } from '../../../db/sql/webhook/list.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { noteBox } from '../../../portal/parts/note.ts';
import { section } from '../../../portal/parts/section.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { type EndpointPage, type EndpointView, endpointPage } from '../../../services/console/webhooks.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { linkTo, objectLink, webhookAddress } from '../links.ts';
import { pagerOf, placeAsked, tableSection } from '../list-page.ts';
import { endpointBadge, failureWords, tryBadge, typesWords } from './words.ts';

const STATUSES = ['delivered', 'failed', 'skipped'] as const;

/** An endpoint: what it refuses, what was sent to it, its settings, and what may be done with it. */
export async function showEndpoint(visit: Visit): Promise<ConsoleResponse> {
  const { query, param } = visit;
  const status = STATUSES.find((one) => one === query('status'));
  const page = await endpointPage(visit.db, visit.visitor.vendorId, param('id'), { after: placeAsked(visit), status });
  return page === null ? noSuchPage : showPage({ title: page.endpoint.url, content: contentOf(visit, page) });
}

function contentOf(visit: Visit, page: EndpointPage): Html {
  const { t } = visit;
  const { endpoint } = page;
  const reason = endpoint.pausedReason;
  return html`<a class="up" href="${CONSOLE_PREFIX}/webhooks">${t('webhook.list_title')}</a>
<div class="title"><h1>${endpoint.url}</h1>${endpointBadge(visit, endpoint)}<p class="id">${endpoint.id}</p></div>
${reason === null ? null : noteBox('wait', t.html('webhook.paused_text', { reason: html`<span lang="en">${reason}</span>` }))}
<div class="columns"><div>
${failingSection(visit, page)}
${triesSection(visit, page)}
</div><div>
${facts(visit, endpoint)}
${acts(visit, endpoint)}
</div></div>`;
}

const eventLink = (endpoint: string, event: string, text: string): Html => linkTo(`${webhookAddress(endpoint)}/event/${event}`, text);

/** The first event of each object that waits: its later ones come behind it. */
function failingSection(visit: Visit, { endpoint, failing }: EndpointPage): Html | null {
  if (failing.length === 0) return null;
  const { t, format } = visit;
  const titles = [t('webhook.event'), t('webhook.object'), t('webhook.since'), t('webhook.next_try')];
  const more = endpoint.failing > failing.length ? html`<p class="soft">${t('webhook.more_failing')}</p>` : null;
  return tableSection(visit, 'failing', t('webhook.failing'), {
    columns: [...titles.map((title) => ({ title })), { title: t('webhook.tries'), number: true }],
    rows: failing.map((lane) => [
      html`<span class="word">${eventLink(endpoint.id, lane.eventId, lane.type)}</span>`,
      objectLink(lane.objectId),
      lane.failingSince === null ? '–' : format.moment(lane.failingSince),
      endpoint.status === 'paused' ? t('webhook.when_open') : format.moment(lane.nextTry),
      format.number(String(lane.attempts)),
    ]),
    foot: more,
  });
}

function triesSection(visit: Visit, { endpoint, tries }: EndpointPage): Html {
  const { t, format, query, path } = visit;
  const all = { value: '', text: t('list.all') };
  const options = [all, ...STATUSES.map((value) => ({ value, text: t(`webhook.try_${value}`) }))];
  const filter = html`<form class="filter" action="${path}">${selectField({ name: 'status', label: t('webhook.outcome'), value: query('status'), options })}
<button type="submit">${t('list.filter')}</button></form>`;
  const row = (one: ListedTry): (Html | string | null)[] => [
    html`<span class="id">${eventLink(endpoint.id, one.event_id, one.event_id)}</span>`,
    format.moment(one.at),
    html`<div>${tryBadge(visit, one)}<br><span class="small soft">${failureWords(visit, { statusCode: one.status_code, error: one.error })}</span></div>`,
    format.number(String(one.attempt)),
    t('webhook.ms', { ms: format.number(String(one.duration_ms)) }),
  ];
  const columns = [
    { title: t('webhook.event') },
    { title: t('log.at') },
    { title: t('webhook.outcome') },
    { title: t('webhook.try'), number: true },
    { title: t('webhook.duration'), number: true },
  ];
  const listed = tableSection(visit, 'tries', t('webhook.tries_title'), {
    columns,
    rows: tries.rows.map(row),
    foot: pagerOf(visit, tries.next, ['status']),
  });
  return html`${filter}${listed}`;
}

function facts(visit: Visit, endpoint: EndpointView): Html {
  const { t, format } = visit;
  const types = endpoint.types.length === 0 ? null : html`<ul class="words">${endpoint.types.map((type) => html`<li>${type}</li>`)}</ul>`;
  const fact = (term: string, value: Html | string | null): Html | null =>
    value === null ? null : html`<dt>${term}</dt><dd>${value}</dd>`;
  const cursor = endpoint.cursor === null ? null : html`<span class="id">${endpoint.cursor}</span>`;
  return section(
    'facts',
    t('webhook.facts_title'),
    html`<dl class="narrow">${fact(t('webhook.description'), endpoint.description)}${fact(t('webhook.types'), html`${typesWords(visit, endpoint.types)}${types}`)}
${fact(t('webhook.cursor'), cursor)}${fact(t('webhook.created'), format.moment(endpoint.created))}${fact(t('webhook.secret'), t('webhook.secret_text'))}</dl>`,
  );
}

/** What may be done with it now; a key that only reads gets no buttons. */
function acts({ t, visitor }: Visit, { id, status, failing }: EndpointView): Html | null {
  if (visitor.scope !== 'full') return null;
  const link = (act: 'open' | 'try_now' | 'pause' | 'change' | 'rotate' | 'replay' | 'delete'): Html =>
    html`<a class="button" href="${webhookAddress(id)}/${act === 'try_now' ? 'open' : act}">${t(`webhook.${act}`)}</a>`;
  const open = status === 'paused' ? link('open') : failing > 0 ? link('try_now') : null;
  const pause = status === 'paused' ? null : link('pause');
  return section(
    'acts',
    t('act.title'),
    html`<div class="actions">${open}${pause}${link('change')}${link('rotate')}${link('replay')}${link('delete')}</div>`,
  );
}
