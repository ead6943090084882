import { html } from '../../../portal/parts/html.ts';
import { endpointView } from '../../../services/console/webhooks.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { webhookAddress } from '../links.ts';

export const secretAddress = (id: string): string => `${webhookAddress(id)}/secret`;

/** The secret of an endpoint, right behind the form that made it; shown again, the page says that it has been shown. */
export async function showSecret(visit: Visit): Promise<ConsoleResponse> {
  const { t, db, visitor, param, once } = visit;
  const endpoint = await endpointView(db, visitor.vendorId, param('id'));
  if (endpoint === null) return noSuchPage;
  const to = webhookAddress(endpoint.id);
  const content =
    once === null
      ? html`<p>${t('webhook.secret_gone')}</p><div class="actions"><a class="button main" href="${to}">${t('webhook.to_endpoint')}</a></div>`
      : html`<p>${t('webhook.secret_once')}</p><pre class="secret">${once}</pre><div class="actions"><a class="button main" href="${to}">${t('webhook.kept')}</a></div>`;
  const title = t('webhook.secret');
  return showPage({
    title,
    content: html`<a class="up" href="${to}">${endpoint.url}</a><div class="title"><h1>${title}</h1></div><section>${content}</section>`,
    narrow: true,
  });
}
