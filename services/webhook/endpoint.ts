import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { WebhookEndpoint, type WebhookEndpointRecord } from '../../db/entities/webhook.ts';
import { newId } from '../../db/id.ts';
import { lastEventSeq } from '../../db/sql/event/last.ts';
import { lockOne } from '../../db/sql/lock.ts';
import { tryAllNow } from '../../db/sql/webhook/try-all-now.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { pauseEndpoint } from './pause.ts';
import { seal } from './seal.ts';
import { newWebhookSecret } from './sign.ts';

/**
 * An endpoint of the vendor, locked until the transaction ends.
 *
 * @throws Refusal `webhook_endpoint_not_found`
 */
export async function lockEndpoint({ em }: Tx, vendorId: string, id: string): Promise<WebhookEndpointRecord> {
  const endpoint = await lockOne(em, WebhookEndpoint, { id, vendorId }, 'no key update');
  if (endpoint === null || endpoint.status === 'deleted')
    throw new Refusal('webhook_endpoint_not_found', `There is no webhook endpoint ${id}.`);
  return endpoint;
}

/** What a vendor says of an endpoint. */
export interface EndpointSettings {
  url: string;
  types: string[];
  description: string | null;
}

/** Endpoints of one vendor, paused ones included: each has a workflow, and reads every event of the vendor. */
export const MOST_ENDPOINTS = 50;

/**
 * Makes sure that the vendor may have one more endpoint. Its oldest one is locked, so that calls at the same time are
 * counted one after the other.
 *
 * @throws Refusal `webhook_endpoint_limit`
 */
async function requirePlace({ em }: Tx, vendorId: string): Promise<void> {
  const kept = { vendorId, status: { $ne: 'deleted' as const } };
  const oldest = await em.findOne(WebhookEndpoint, kept, {
    orderBy: { created: 'asc', id: 'asc' },
    fields: ['id'],
    disableIdentityMap: true,
  });
  if (oldest === null) return;
  await lockOne(em, WebhookEndpoint, { id: oldest.id }, 'no key update');
  if ((await em.count(WebhookEndpoint, kept)) >= MOST_ENDPOINTS)
    throw new Refusal('webhook_endpoint_limit', `A vendor has at most ${MOST_ENDPOINTS} webhook endpoints.`);
}

/**
 * A new endpoint, which gets every event from now on.
 *
 * @param own the installation's secret
 * @returns its id, and its secret, which is shown only now
 * @throws Refusal `webhook_endpoint_limit`
 */
export async function createEndpoint(
  tx: Tx,
  vendorId: string,
  settings: EndpointSettings,
  { own, now }: { own: string; now: number },
): Promise<{ id: string; secret: string }> {
  await requirePlace(tx, vendorId);
  const [id, secret] = [newId('Hook'), newWebhookSecret()];
  // what other transactions are writing just now may belong to either side of "from now on"
  const readSeq = await lastEventSeq(tx, vendorId);
  tx.em.create(WebhookEndpoint, { id, vendorId, created: now, ...settings, secret: seal(secret, id, own), readSeq });
  await tx.em.flush();
  enqueue(tx, 'webhook', id);
  return { id, secret };
}

/** Changes the settings that are given. Events that wait follow the new settings from now on. */
export async function changeEndpoint({ em }: Tx, endpoint: WebhookEndpointRecord, given: Partial<EndpointSettings>): Promise<void> {
  em.assign(endpoint, given);
  await em.flush();
}

/** Milliseconds for which a replaced secret of an endpoint signs beside the new one. */
export const SECRET_HELD_MS = 86_400_000;

/** The most replaced secrets that sign beside the new one: each delivery is signed with all of them. */
const MOST_FORMER = 10;

/**
 * Gives an endpoint a new secret. The one before signs beside it for a day more, and secrets that were replaced earlier
 * sign to the end of their own day: if a new secret got lost and the caller rotates again, the receivers still know the
 * first one alone.
 */
export async function rotateSecret(tx: Tx, endpoint: WebhookEndpointRecord, { own, now }: { own: string; now: number }): Promise<string> {
  const secret = newWebhookSecret();
  const earlier = endpoint.formerSecrets.filter(({ until }) => until > now);
  const formerSecrets = [{ secret: endpoint.secret, until: now + SECRET_HELD_MS }, ...earlier].slice(0, MOST_FORMER);
  tx.em.assign(endpoint, { formerSecrets, secret: seal(secret, endpoint.id, own) });
  await tx.em.flush();
  return secret;
}

/** Sends nothing more until the endpoint is opened. */
export const pauseOnRequest = (tx: Tx, endpoint: WebhookEndpointRecord): Promise<void> => pauseEndpoint(tx, endpoint, 'paused on request');

/**
 * Opens an endpoint: it goes on from its cursor, and everything that waits is tried at once. If very many events have
 * failed before, its workflow makes the rest of them due before it sends anything.
 */
export async function openEndpoint(tx: Tx, endpoint: WebhookEndpointRecord): Promise<void> {
  const opens = await tryAllNow(tx, endpoint.id);
  tx.em.assign(endpoint, { status: 'active', pausedReason: null, opens });
  await tx.em.flush();
  enqueue(tx, 'webhook', endpoint.id);
}

/** Deletes an endpoint: nobody sees it any more, and its rows are deleted later, step by step. */
export async function deleteEndpoint(tx: Tx, endpoint: WebhookEndpointRecord): Promise<void> {
  tx.em.assign(endpoint, { status: 'deleted' });
  await tx.em.flush();
  enqueue(tx, 'webhook', endpoint.id);
}
