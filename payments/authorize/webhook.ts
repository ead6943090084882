import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Notice, WebhookRequest } from '../port.ts';
import { WebhookRefused } from '../problem.ts';
import type { AuthorizeCall } from './client.ts';
import { readTransaction } from './transaction.ts';

const event = z.looseObject({
  notificationId: z.string(),
  eventType: z.string(),
  eventDate: z.string().optional(),
  payload: z.looseObject({ id: z.string(), entityName: z.string().optional(), merchantReferenceId: z.string().optional() }),
});

const TRANSACTION_EVENTS = new Set([
  'net.authorize.payment.authcapture.created',
  'net.authorize.payment.fraud.approved',
  'net.authorize.payment.fraud.declined',
  'net.authorize.payment.fraud.held',
  'net.authorize.payment.refund.created',
  'net.authorize.payment.void.created',
]);

/**
 * Verifies the HMAC-SHA512 of the exact bytes. A notice says only that something happened to a transaction; its state
 * is asked for, so that late and reordered notices give the same result.
 */
export async function readAuthorizeWebhook(
  call: AuthorizeCall,
  signatureKey: string,
  request: WebhookRequest,
  now: Instant,
): Promise<Notice[]> {
  verify(signatureKey, request);
  const { notificationId: id, eventType, eventDate = '', payload } = event.parse(JSON.parse(request.body.toString('utf8')));
  if (TRANSACTION_EVENTS.has(eventType)) {
    const notice = await readTransaction(call, payload.id, payload.merchantReferenceId ?? null, { at: Date.parse(eventDate) || now, now });
    return notice === null ? [] : [{ id, ...notice }];
  }
  if (eventType === 'net.authorize.customer.paymentProfile.deleted') return [{ id, type: 'method_detached', methodReference: payload.id }];
  return [];
}

/** Text that isn't hexadecimal would be read as a shorter key, at worst an empty one, with which anybody can sign. */
export function requireSignatureKey(signatureKey: string): void {
  if (!/^(?:[0-9a-f]{2}){32,}$/i.test(signatureKey))
    throw new Error('The signature key of Authorize.Net must be hexadecimal, 64 digits or more.');
}

function verify(signatureKey: string, { body, header }: WebhookRequest): void {
  const given = Buffer.from(header('x-anet-signature').replace(/^sha512=/i, ''), 'hex');
  const expected = createHmac('sha512', Buffer.from(signatureKey, 'hex')).update(body).digest();
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new WebhookRefused('The signature of the webhook is not valid.');
  }
}
