import { type Html, html } from '../../../portal/parts/html.ts';
import { type EndpointView, endpointViews } from '../../../services/console/webhooks.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { linkTo, webhookAddress } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { operationTabs } from '../operations.ts';
import { endpointBadge, failingWords, failureWords, typesWords } from './words.ts';

/** All endpoints of the vendor, and how each stands. */
export async function showEndpoints(visit: Visit): Promise<ConsoleResponse> {
  const { t, format } = visit;
  const endpoints = await endpointViews(visit.db, visit.visitor.vendorId);
  const columns = [
    { title: t('webhook.url') },
    { title: t('webhook.status') },
    { title: t('webhook.types') },
    { title: t('webhook.next_try') },
    { title: t('webhook.failing'), number: true },
  ];
  const rows = endpoints.map((endpoint) => [
    html`<div>${linkTo(webhookAddress(endpoint.id), endpoint.url)}${endpoint.description === null ? null : html`<br><span class="small soft">${endpoint.description}</span>`}</div>`,
    endpointBadge(visit, endpoint),
    typesWords(visit, endpoint.types),
    nextTry(endpoint, format),
    failingWords(visit, endpoint.failing),
  ]);
  const content = html`<div class="title"><h1>${t('webhook.list_title')}</h1></div>${operationTabs(visit)}
${tableSection(visit, 'endpoints', t('webhook.endpoints'), { columns, rows, side: addLink(visit) })}`;
  return showPage({ title: t('webhook.list_title'), content });
}

const addLink = ({ t, visitor }: Visit): Html | null =>
  visitor.scope === 'full' ? html`<a class="button small" href="${CONSOLE_PREFIX}/webhooks/new">${t('webhook.add')}</a>` : null;

const nextTry = ({ status, nextTry: at }: EndpointView, format: Visit['format']): string =>
  status === 'paused' || at === null ? '–' : format.moment(at);

/** Endpoints that get nothing, or refuse something, for the overview: why, and since when. */
export function failingEndpoints(visit: Visit, endpoints: readonly EndpointView[]): Html | null {
  if (endpoints.length === 0) return null;
  const { t, format } = visit;
  const titles = [t('webhook.url'), t('webhook.status'), t('webhook.why'), t('webhook.since'), t('webhook.next_try')];
  return tableSection(visit, 'failing-endpoints', t('webhook.failing_title'), {
    columns: titles.map((title) => ({ title })),
    rows: endpoints.map((endpoint) => [
      linkTo(webhookAddress(endpoint.id), endpoint.url),
      endpointBadge(visit, endpoint),
      endpoint.pausedReason === null ? failureWords(visit, endpoint) : html`<span lang="en">${endpoint.pausedReason}</span>`,
      endpoint.failingSince === null ? '–' : format.moment(endpoint.failingSince),
      nextTry(endpoint, format),
    ]),
  });
}
