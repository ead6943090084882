import Router from '@koa/router';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import { ProviderNotConfigured, WebhookRefused } from '../../payments/problem.ts';
import type { Payments } from '../../services/payment/open-payments.ts';
import { takeNotice } from '../../services/payment/take-notice.ts';
import { BODY_LIMITS, readBody } from '../http/body.ts';
import type { KeylessLimit } from '../http/keyless-limit.ts';
import { EXACT } from '../http/quick-router.ts';

export const WEBHOOK_PREFIX = '/v1/payment_webhook';
const SENDERS: readonly ProviderName[] = ['cardproc', 'authorize'];

interface WebhookParts {
  db: Database;
  payments: Payments;
  log: Logger;
  /** A separate limit, so that a flood of forged notices does not block other requests. */
  limit: KeylessLimit;
}

const NAME = `mounted ${WEBHOOK_PREFIX}`;

/**
 * Receives the notices of payment providers at `/v1/payment_webhook/{provider}`.
 * The signature covers the exact bytes, so the body is read as bytes before it is parsed.
 * A 200 means that the notice is stored; after any other status, such as a 409 while the outcome of its charge is not
 * known, the provider sends it again.
 */
export function createPaymentWebhooks(parts: WebhookParts): Router {
  const router = new Router(EXACT);
  for (const provider of SENDERS) router.post(NAME, `${WEBHOOK_PREFIX}/${provider}`, (ctx) => receiveNotice(provider, parts, ctx));
  return router.all(NAME, `${WEBHOOK_PREFIX}{/{*rest}}`, (ctx) => {
    ctx.status = 404;
  });
}

async function receiveNotice(name: ProviderName, { db, payments, log, limit }: WebhookParts, ctx: Koa.Context): Promise<void> {
  limit.take(ctx.req);
  const body = await readBody(ctx.req, BODY_LIMITS.notice);
  try {
    const notices = await payments.providers.get(name).readWebhook({ body, header: (header) => ctx.get(header) });
    for (const notice of notices) await db.transaction((tx) => takeNotice(tx, name, notice, payments.retryDays), { by: 'provider' });
    ctx.status = 200;
    ctx.body = '';
  } catch (error) {
    if (!(error instanceof WebhookRefused) && !(error instanceof ProviderNotConfigured)) throw error;
    log.warn({ provider: name, reason: error.message }, 'a webhook of a payment provider was refused');
    ctx.status = error instanceof WebhookRefused ? 400 : 404;
  }
}
