import { Refusal } from '../../../billing/refusal.ts';
import type { Tx } from '../../../db/connect.ts';
import type { WebhookEndpointRecord } from '../../../db/entities/webhook.ts';
import type { Form } from '../../../portal/http/form.ts';
import { hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { endpointEvent } from '../../../services/console/webhook-event.ts';
import { type MadeSecret, requireSecretAsShown, secretMadeBefore, secretShown } from '../../../services/console/webhook-once.ts';
import { type EndpointView, endpointView } from '../../../services/console/webhooks.ts';
import { deleteEndpoint, lockEndpoint, openEndpoint, pauseOnRequest } from '../../../services/webhook/endpoint.ts';
import { replayAfter, resendEvent, skipEvent } from '../../../services/webhook/steer.ts';
import { callApi } from '../../http/call.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, goTo, goToSecret, noSuchPage } from '../../http/response.ts';
import { type ConsoleRoute, onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { webhookAddress } from '../links.ts';
import { secretAddress } from '../webhooks/secret.ts';
import { confirmPage } from './confirm.ts';

type EndpointAct = 'open' | 'pause' | 'delete';
type Change = (tx: Tx, endpoint: WebhookEndpointRecord) => Promise<void>;

/** What may be done with an endpoint of webhooks, and with an event that is sent to one. */
export const webhookActs: readonly ConsoleRoute[] = [
  ...endpointAct('open', openEndpoint),
  ...endpointAct('pause', pauseOnRequest),
  ...endpointAct('delete', deleteEndpoint),
  ...onAct('/webhook/:id/replay', (visit) => askReplay(visit, null), replay, ['after']),
  ...onAct('/webhook/:id/rotate', askRotate, rotate, []),
  ...onAct('/webhook/:id/event/:event/resend', (visit) => askEvent(visit, 'resend'), resend, []),
  ...onAct('/webhook/:id/event/:event/skip', (visit) => askEvent(visit, 'skip'), skip, []),
];

function endpointAct(act: EndpointAct, change: Change): ConsoleRoute[] {
  const ask = async (visit: Visit): Promise<ConsoleResponse> => {
    const endpoint = await endpointView(visit.db, visit.visitor.vendorId, visit.param('id'));
    return endpoint === null ? noSuchPage : confirm(visit, act, endpoint);
  };
  const run = async ({ db, visitor, asker, param }: Visit, _: Form): Promise<ConsoleResponse> => {
    await db.transaction(async (tx) => change(tx, await lockEndpoint(tx, visitor.vendorId, param('id'))), asker);
    const to = act === 'delete' ? `${CONSOLE_PREFIX}/webhooks` : webhookAddress(param('id'));
    return goTo(to, { key: `webhook.${act}_done` });
  };
  return onAct(`/webhook/:id/${act}`, ask, run, []);
}

function confirm(visit: Visit, act: EndpointAct | 'rotate' | 'replay', { id, url, status }: EndpointView, fields?: Html): ConsoleResponse {
  const { t } = visit;
  const shown = act === 'open' && status === 'active' ? 'try_now' : act;
  const effect = html`<p>${t(`webhook.${shown}_text`)}</p><p class="soft">${url}</p>`;
  const title = t(`webhook.${shown}`);
  return confirmPage(visit, { title, up: { to: webhookAddress(id), title: t('webhook.one') }, effect, fields, button: title });
}

/** @param wrong what was given, and isn't an event to begin behind; null: nothing yet */
async function askReplay(visit: Visit, wrong: string | null): Promise<ConsoleResponse> {
  const { t, db, visitor, param } = visit;
  const endpoint = await endpointView(db, visitor.vendorId, param('id'));
  if (endpoint === null) return noSuchPage;
  const error = wrong === null ? undefined : t('webhook.replay_fix');
  const [label, hint, value] = [t('webhook.replay_after'), t('webhook.replay_hint'), wrong ?? endpoint.cursor ?? ''];
  return confirm(visit, 'replay', endpoint, textField({ name: 'after', label, hint, value, error, required: true }));
}

const NO_PLACE: ReadonlySet<string> = new Set(['event_not_found', 'invalid_request']);

async function replay(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, visitor, asker, param } = visit;
  const after = form.text('after');
  try {
    await db.transaction(async (tx) => replayAfter(tx, await lockEndpoint(tx, visitor.vendorId, param('id')), after), asker);
  } catch (error) {
    if (!(error instanceof Refusal) || !NO_PLACE.has(error.code)) throw error;
    return askReplay(visit, after);
  }
  return goTo(webhookAddress(param('id')), { key: 'webhook.replay_done' });
}

async function askRotate(visit: Visit): Promise<ConsoleResponse> {
  const { db, visitor, param } = visit;
  const endpoint = await endpointView(db, visitor.vendorId, param('id'));
  const shown = await secretShown(db, visitor.vendorId, param('id'));
  return endpoint === null || shown === null ? noSuchPage : confirm(visit, 'rotate', endpoint, hiddenField('shown', shown));
}

/** A second press of the same button finds the secret of the first one. */
async function rotate(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, parts } = visit;
  const [{ vendorId }, id, shown] = [visit.visitor, visit.param('id'), form.text('shown')];
  try {
    const before = (tx: Tx) => requireSecretAsShown(tx, vendorId, id, shown);
    const called = await callApi(visit, 'rotate_webhook_secret', { params: { endpoint_id: id }, before });
    return 'problems' in called ? noSuchPage : newSecret(id, called.response as Pick<MadeSecret, 'secret'>);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'estimate_outdated') throw error;
    const made = await secretMadeBefore(db, { vendorId, shown, own: parts.secret }, id);
    if (made === null) throw error;
    return newSecret(id, made);
  }
}

const newSecret = (id: string, { secret }: Pick<MadeSecret, 'secret'>): ConsoleResponse =>
  goToSecret(secretAddress(id), { key: 'webhook.rotated' }, secret);

async function askEvent(visit: Visit, act: 'resend' | 'skip'): Promise<ConsoleResponse> {
  const { t, param } = visit;
  const found = await endpointEvent(visit.db, visit.visitor.vendorId, param('id'), param('event'));
  if (found === null) return noSuchPage;
  const { endpoint, event, isAwaited } = found;
  const key = act === 'resend' && isAwaited ? 'resend_awaited' : act;
  const effect = html`<p>${t(`webhook.${key}_text`)}</p><p class="soft">${event.type} → ${endpoint.url}</p>`;
  const up = { to: `${webhookAddress(endpoint.id)}/event/${event.id}`, title: event.type };
  return confirmPage(visit, { title: t(`webhook.${act}`), up, effect, button: t(`webhook.${act}`) });
}

const eventPage = ({ param }: Visit): string => `${webhookAddress(param('id'))}/event/${param('event')}`;

async function resend(visit: Visit, _: Form): Promise<ConsoleResponse> {
  const { db, visitor, asker, param } = visit;
  await db.transaction((tx) => resendEvent(tx, visitor.vendorId, param('event'), param('id')), asker);
  return goTo(eventPage(visit), { key: 'webhook.resend_done' });
}

async function skip(visit: Visit, _: Form): Promise<ConsoleResponse> {
  const { db, visitor, asker, param } = visit;
  const leaveOut = async (tx: Tx) => skipEvent(tx, await lockEndpoint(tx, visitor.vendorId, param('id')), param('event'), Date.now());
  await db.transaction(leaveOut, asker);
  return goTo(eventPage(visit), { key: 'webhook.skip_done' });
}
