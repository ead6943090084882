import { createHmac, randomBytes } from 'node:crypto';
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
  const timestamp = String(Math.floor(at / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
