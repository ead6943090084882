import { type Html, html } from '../../../portal/parts/html.ts';
import { noteBox, type Tone } from '../../../portal/parts/note.ts';
import { section } from '../../../portal/parts/section.ts';
import { type EndpointEvent, type EventStanding, endpointEvent } from '../../../services/console/webhook-event.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { linkTo, objectLink, webhookAddress } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { failureWords, tryBadge } from './words.ts';

/** An event at an endpoint: whether it has arrived and why not, each try with its answer, and what is sent. */
export async function showEndpointEvent(visit: Visit): Promise<ConsoleResponse> {
  const { param } = visit;
  const found = await endpointEvent(visit.db, visit.visitor.vendorId, param('id'), param('event'));
  return found === null ? noSuchPage : showPage({ title: found.event.type, content: contentOf(visit, found) });
}

const contentOf = (
  visit: Visit,
  found: EndpointEvent,
): Html => html`<a class="up" href="${webhookAddress(found.endpoint.id)}">${found.endpoint.url}</a>
<div class="title"><h1>${found.event.type}</h1><p class="id">${found.event.id}</p></div>
${standingNote(visit, found)}
<div class="columns"><div>
${triesSection(visit, found)}
${requestSection(visit, found)}
</div><div>
${facts(visit, found)}
${acts(visit, found)}
</div></div>`;

const TONES: Readonly<Record<EventStanding['kind'], Tone>> = {
  delivered: 'good',
  waiting: 'bad',
  behind: 'wait',
  soon: 'plain',
  skipped: 'plain',
  given_up: 'bad',
  not_chosen: 'plain',
  before: 'plain',
};

/** Whether the event has arrived, and else what stands in its way. */
function standingNote({ t, format }: Visit, { endpoint, standing, tries }: EndpointEvent): Html {
  const { kind } = standing;
  if (kind === 'behind') {
    const first = linkTo(`${webhookAddress(endpoint.id)}/event/${standing.first}`, standing.first);
    return noteBox(TONES.behind, t.html('webhook.standing_behind', { first }));
  }
  if (kind !== 'waiting') return noteBox(TONES[kind], html`${t(`webhook.standing_${kind}`)}`);
  if (endpoint.status === 'paused') return noteBox('wait', html`${t('webhook.standing_paused')}`);
  if (tries.length === 0) return noteBox('plain', html`${t('webhook.standing_soon')}`);
  return noteBox(TONES.waiting, html`${t('webhook.standing_waiting', { at: format.moment(standing.nextTry) })}`);
}

function triesSection(visit: Visit, { tries }: EndpointEvent): Html {
  const { t, format } = visit;
  const answer = (text: string | null): Html | null =>
    text === null ? null : html`<details><summary>${t('webhook.answer')}</summary><pre>${text}</pre></details>`;
  return tableSection(visit, 'tries', t('webhook.tries_title'), {
    columns: [
      { title: t('log.at') },
      { title: t('webhook.outcome') },
      { title: t('webhook.why') },
      { title: t('webhook.try'), number: true },
      { title: t('webhook.duration'), number: true },
    ],
    rows: tries.map((one) => [
      format.moment(one.at),
      tryBadge(visit, one),
      html`<div>${failureWords(visit, { statusCode: one.status_code, error: one.error })}${answer(one.answer)}</div>`,
      format.number(String(one.attempt)),
      t('webhook.ms', { ms: format.number(String(one.duration_ms)) }),
    ]),
  });
}

/** The request without its time and its signature, which are new at each try. */
function requestSection({ t }: Visit, { endpoint, event, body }: EndpointEvent): Html {
  const head = `POST ${endpoint.url}\ncontent-type: application/json\nuser-agent: Perennial\nwebhook-id: ${event.id}`;
  const sent = body === null ? html`<p class="soft">${t('webhook.no_body')}</p>` : html`<pre>${indented(body)}</pre>`;
  return section('request', t('webhook.request'), html`<pre>${head}</pre><p class="small soft">${t('webhook.signed')}</p>${sent}`);
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);

const facts = ({ t, format }: Visit, { event }: EndpointEvent): Html =>
  section(
    'facts',
    t('webhook.facts_title'),
    html`<dl class="narrow"><dt>${t('webhook.object')}</dt><dd>${objectLink(event.objectId)}</dd><dt>${t('webhook.recorded')}</dt><dd>${format.moment(event.timestamp)}</dd></dl>`,
  );

function acts({ t, visitor }: Visit, { endpoint, event, isAwaited }: EndpointEvent): Html | null {
  if (visitor.scope !== 'full') return null;
  const link = (act: 'resend' | 'skip'): Html =>
    html`<a class="button" href="${webhookAddress(endpoint.id)}/event/${event.id}/${act}">${t(`webhook.${act}`)}</a>`;
  return section('acts', t('act.title'), html`<div class="actions">${link('resend')}${isAwaited ? link('skip') : null}</div>`);
}
