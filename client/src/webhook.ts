import { createHmac, timingSafeEqual } from 'node:crypto';
import { PerennialError } from './errors.ts';
import type { WebhookEvent } from './events.ts';

/** As a `fetch` request or as Node's `http` gives them. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How old a delivery may be, and how far ahead of this machine's clock, in seconds: 300 unless given. */
  toleranceSeconds?: number | undefined;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

/**
 * The event of a delivery, once its signature (Standard Webhooks) fits the endpoint's secret. Throws
 * `webhook_not_verified` where it doesn't, or where the delivery is too old.
 *
 * @param body as it arrived, before JSON is read
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): WebhookEvent {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const given = required(headers, 'webhook-signature');
  const age = Date.now() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds) throw refused('webhook-timestamp is too far from now');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${text}`).digest();
  if (!given.split(' ').some((one) => fits(one, expected))) throw refused('no signature fits the secret');
  return JSON.parse(text) as WebhookEvent;
}

/** For a day after a rotation two secrets sign, so one of several signatures has to fit. */
function fits(signature: string, expected: Buffer): boolean {
  const [version, value = ''] = signature.split(',');
  const bytes = Buffer.from(value, 'base64');
  return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  if (key.length === 0) throw new TypeError('The webhook secret is empty.');
  return key;
}

function required(headers: WebhookHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : headerOf(headers as Record<string, unknown>, name);
  if (typeof value !== 'string' || value === '') throw refused(`${name} is missing`);
  return value;
}

function headerOf(headers: Record<string, unknown>, name: string): unknown {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) ? found[0] : found;
}

const refused = (what: string): PerennialError => new PerennialError('webhook_not_verified', `The webhook is refused: ${what}.`);
