import { EVENT_TYPE_NAMES } from '../../../billing/event-types.ts';
import { Refusal } from '../../../billing/refusal.ts';
import type { Tx } from '../../../db/connect.ts';
import type { Form } from '../../../portal/http/form.ts';
import { actForm, errorSummary, hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { noteBox } from '../../../portal/parts/note.ts';
import { endpointMadeBefore, endpointsShown, type MadeSecret, requireEndpointsAsShown } from '../../../services/console/webhook-once.ts';
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

async function askNew(visit: Visit): Promise<ConsoleResponse> {
  return newPage(visit, { url: '', description: '', types: [] });
}

const newPage = async (visit: Visit, settings: Settings, more: Pick<FormParts, 'problems' | 'note'> = {}): Promise<ConsoleResponse> =>
  formPage(visit, settings, { ...more, shown: await endpointsShown(visit.db, visit.visitor.vendorId) });

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

/** A second press of the same button finds the endpoint of the first one. */
async function make(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, parts, t } = visit;
  const { vendorId } = visit.visitor;
  const [settings, shown] = [settingsOf(form), form.text('shown')];
  const body = bodyOf(settings);
  try {
    const before = (tx: Tx) => requireEndpointsAsShown(tx, vendorId, shown);
    const called = await callApi(visit, 'save_webhook_endpoint', { body, makes: true, before });
    if ('problems' in called) return newPage(visit, settings, { problems: called.problems });
    return secretPage(called.response as MadeSecret);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'estimate_outdated') throw error;
    const made = await endpointMadeBefore(db, { vendorId, shown, own: parts.secret }, { ...body, types: [...body.types] });
    return made === null ? newPage(visit, settings, { note: t('webhook.added_meanwhile') }) : secretPage(made);
  }
}

const secretPage = ({ id, secret }: MadeSecret): ConsoleResponse => goToSecret(secretAddress(id), { key: 'webhook.made' }, secret);

async function change(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const id = visit.param('id');
  if ((await endpointView(visit.db, visit.visitor.vendorId, id)) === null) return noSuchPage;
  const settings = settingsOf(form);
  const called = await callApi(visit, 'save_webhook_endpoint', { body: { id, ...bodyOf(settings) } });
  return 'problems' in called
    ? formPage(visit, settings, { problems: called.problems })
    : goTo(webhookAddress(id), { key: 'webhook.changed' });
}

interface FormParts {
  readonly problems?: ReadonlyMap<string, string>;
  /** of a new endpoint: those that there are, so that the form makes one once */
  readonly shown?: string;
  readonly note?: string;
}

/** The form with what was typed, and for each wrong field what to give instead. */
function formPage(visit: Visit, settings: Settings, { problems = NO_ERRORS, shown, note }: FormParts = {}): ConsoleResponse {
  const { t, path, csrf, param } = visit;
  const isNew = param('id') === '';
  const title = t(isNew ? 'webhook.add' : 'webhook.change');
  const up = isNew ? `${CONSOLE_PREFIX}/webhooks` : webhookAddress(param('id'));
  const errors = new Map([...problems.keys()].map((field) => fixOf(visit, field)));
  const content = html`${shown === undefined ? null : hiddenField('shown', shown)}${settingsFields(visit, settings, errors)}
<div class="actions"><button type="submit" class="main">${t(isNew ? 'webhook.add' : 'webhook.save')}</button><a class="button" href="${up}">${t('act.back')}</a></div>`;
  return showPage({
    title,
    content: html`<a class="up" href="${up}">${t(isNew ? 'webhook.list_title' : 'webhook.one')}</a>
<div class="title"><h1>${title}</h1></div>${note === undefined ? null : noteBox('wait', html`${note}`)}${errorSummary(t('webhook.errors_title'), errors)}<section>${actForm({ action: path, csrf, content })}</section>`,
    status: errors.size === 0 ? 200 : 422,
  });
}

const settingsFields = (visit: Visit, { url, description, types }: Settings, errors: ReadonlyMap<string, string>): Html =>
  html`${textField({ name: 'url', label: visit.t('webhook.url'), value: url, hint: visit.t('webhook.url_hint'), error: errors.get('url'), required: true })}
${textField({ name: 'description', label: visit.t('webhook.description'), value: description, error: errors.get('description') })}
${typesField(visit, types)}`;

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
