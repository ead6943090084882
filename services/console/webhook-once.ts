import { MINUTE } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { WebhookEndpoint, type WebhookEndpointRecord } from '../../db/entities/webhook.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { lockVendor } from '../preferences/lock.ts';
import { type EndpointSettings, lockEndpoint, SECRET_HELD_MS } from '../webhook/endpoint.ts';
import { unseal } from '../webhook/seal.ts';

/** A secret that a form has made. */
export interface MadeSecret {
  id: string;
  secret: string;
}

/** A form that is sent twice gets the same secret for so long: the browser shows only what follows the second press. */
const REPEAT_MS = MINUTE;

type Manager = Pick<Tx, 'em'>;

const newestEndpoints = ({ em }: Manager, vendorId: string): Promise<WebhookEndpointRecord[]> =>
  em.find(WebhookEndpoint, { vendorId }, { orderBy: { created: 'desc', id: 'desc' }, limit: 2, disableIdentityMap: true });

const standingOf = (newest: WebhookEndpointRecord | undefined): string => fingerprintOf(newest?.id ?? null);

/** One value for the endpoints that a vendor has had when a form was shown. */
export const endpointsShown = async (db: Database, vendorId: string): Promise<string> =>
  standingOf((await newestEndpoints({ em: db.em() }, vendorId))[0]);

/**
 * Makes sure that the vendor got no endpoint since a form was shown, until the transaction ends.
 *
 * @throws Refusal `estimate_outdated`
 */
export async function requireEndpointsAsShown(tx: Tx, vendorId: string, shown: string): Promise<void> {
  await lockVendor(tx, vendorId);
  if (standingOf((await newestEndpoints(tx, vendorId))[0]) !== shown) throw outdated('An endpoint was added since this page was shown.');
}

/**
 * The endpoint that the same form has made a moment ago, when it is sent a second time; null: it has made none.
 *
 * @param own the installation's secret
 */
export async function endpointMadeBefore(
  db: Database,
  { vendorId, shown, own }: { vendorId: string; shown: string; own: string },
  { url, description, types }: EndpointSettings,
): Promise<MadeSecret | null> {
  const [newest, before] = await newestEndpoints({ em: db.em() }, vendorId);
  if (newest === undefined || standingOf(before) !== shown || newest.created < Date.now() - REPEAT_MS) return null;
  const isSame = fingerprintOf([newest.url, newest.description, newest.types]) === fingerprintOf([url, description, types]);
  return isSame && newest.formerSecrets.length === 0 && newest.status !== 'deleted' ? opened(newest, own) : null;
}

/** One value for the secret that an endpoint has when a form is shown; null when the vendor has no such endpoint. */
export async function secretShown(db: Database, vendorId: string, id: string): Promise<string | null> {
  const endpoint = await db.em().findOne(WebhookEndpoint, { id, vendorId, status: { $ne: 'deleted' } });
  return endpoint === null ? null : fingerprintOf(endpoint.secret);
}

/** Makes sure that an endpoint has the secret that it had when a form was shown. @throws Refusal `estimate_outdated` */
export async function requireSecretAsShown(tx: Tx, vendorId: string, id: string, shown: string): Promise<void> {
  const { secret } = await lockEndpoint(tx, vendorId, id);
  if (fingerprintOf(secret) !== shown) throw outdated('The secret was replaced since this page was shown.');
}

/** The secret that the same form has made a moment ago, when it is sent a second time; null: it has made none. */
export async function secretMadeBefore(
  db: Database,
  { vendorId, shown, own }: { vendorId: string; shown: string; own: string },
  id: string,
): Promise<MadeSecret | null> {
  const endpoint = await db.em().findOne(WebhookEndpoint, { id, vendorId, status: { $ne: 'deleted' } });
  const [former] = endpoint?.formerSecrets ?? [];
  if (endpoint === null || former === undefined || fingerprintOf(former.secret) !== shown) return null;
  return former.until - SECRET_HELD_MS < Date.now() - REPEAT_MS ? null : opened(endpoint, own);
}

function opened({ id, secret: sealed }: WebhookEndpointRecord, own: string): MadeSecret | null {
  const secret = unseal(sealed, id, own);
  return secret === null ? null : { id, secret };
}

const outdated = (message: string): Refusal => new Refusal('estimate_outdated', `${message} Look at it again.`);
