import { EVENT_TYPE_NAMES } from '../../../billing/event-types.ts';
import type { Form } from '../../../portal/http/form.ts';
import { actForm, errorSummary, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { endpointView } from '../../../services/console/webhooks.ts';
import { callApi } from '../../http/call.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, goTo, goToSecret, noSuchPage, showPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { webhookAddress } from '../links.ts';
import { secretAddress } from './secret.ts';

/** Making an endpoint, and changing what was said of one. */
export const endpointForms = [...onAct('/webhooks/new', askNew, make, []), ...onAct('/webhook/:id/change', askChange, change, [])];

interface Settings {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map();

function askNew(visit: Visit): ConsoleResponse {
  return formPage(visit, { url: '', description: '', types: [] });
}

async function askChange(visit: Visit): Promise<ConsoleResponse> {
  const endpoint = await endpointView(visit.db, visit.visitor.vendorId, visit.param('id'));
  return endpoint === null ? noSuchPage : formPage(visit, { ...endpoint, description: endpoint.description ?? '' });
}

const settingsOf = (form: Form): Settings => ({
  url: form.text('url'),
  description: form.text('description'),
  types: form.entries().flatMap(([name, value]) => (name === 'types' ? [value] : [])),
});

const bodyOf = ({ url, description, types }: Settings) => ({ url, description: description || null, types });

async function make(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const settings = settingsOf(form);
  const called = await callApi(visit, 'save_webhook_endpoint', { body: bodyOf(settings), makes: true });
  if ('problems' in called) return formPage(visit, settings, called.problems);
  const { id, secret } = called.response as { id: string; secret: string };
  return goToSecret(secretAddress(id), { key: 'webhook.made' }, secret);
}

async function change(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const id = visit.param('id');
  if ((await endpointView(visit.db, visit.visitor.vendorId, id)) === null) return noSuchPage;
  const settings = settingsOf(form);
  const called = await callApi(visit, 'save_webhook_endpoint', { body: { id, ...bodyOf(settings) } });
  return 'problems' in called ? formPage(visit, settings, called.problems) : goTo(webhookAddress(id), { key: 'webhook.changed' });
}

/** The form with what was typed, and for each wrong field what to give instead. */
function formPage(visit: Visit, settings: Settings, problems = NO_ERRORS): ConsoleResponse {
  const { t, path, csrf, param } = visit;
  const isNew = param('id') === '';
  const title = t(isNew ? 'webhook.add' : 'webhook.change');
  const up = isNew ? `${CONSOLE_PREFIX}/webhooks` : webhookAddress(param('id'));
  const errors = new Map([...problems.keys()].map((field) => fixOf(visit, field)));
  const content = html`${textField({ name: 'url', label: t('webhook.url'), value: settings.url, hint: t('webhook.url_hint'), error: errors.get('url'), required: true })}
${textField({ name: 'description', label: t('webhook.description'), value: settings.description, error: errors.get('description') })}
${typesField(visit, settings.types)}
<div class="actions"><button type="submit" class="main">${t(isNew ? 'webhook.add' : 'webhook.save')}</button><a class="button" href="${up}">${t('act.back')}</a></div>`;
  return showPage({
    title,
    content: html`<a class="up" href="${up}">${t(isNew ? 'webhook.list_title' : 'webhook.one')}</a>
<div class="title"><h1>${title}</h1></div>${errorSummary(t('webhook.errors_title'), errors)}<section>${actForm({ action: path, csrf, content })}</section>`,
    status: errors.size === 0 ? 200 : 422,
  });
}

function fixOf({ t }: Visit, field: string): [string, string] {
  if (field === 'url') return ['url', t('webhook.url_fix')];
  return field === 'description' ? ['description', t('webhook.description_fix')] : ['types', t('webhook.types_fix')];
}

/** The types by the noun that they are about; none chosen means all of them. */
function typesField({ t }: Visit, chosen: readonly string[]): Html {
  const byNoun = [...Map.groupBy(EVENT_TYPE_NAMES, (type) => type.split('.')[1] ?? '')];
  const box = (type: string): Html =>
    html`<li><label><input type="checkbox" name="types" value="${type}"${chosen.includes(type) ? html` checked` : null}> ${type}</label></li>`;
  return html`<fieldset class="checks" id="field-types"><legend>${t('webhook.types')}</legend><p class="hint">${t('webhook.types_hint')}</p>
<div class="groups">${byNoun.map(([, types]) => html`<ul>${types.map(box)}</ul>`)}</div></fieldset>`;
}
