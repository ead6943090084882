import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Instant } from '../../billing/calendar/instant.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * The headers of a delivery by Standard Webhooks: each secret adds a signature, so that receivers can change over at
 * any time.
 *
 * @param at of the try, which receivers compare with their own clock
 */
export function signedHeaders(eventId: string, at: Instant, body: string, secrets: readonly string[]): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, new Date(seconds * 1000), body));
  return { 'webhook-id': eventId, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}
