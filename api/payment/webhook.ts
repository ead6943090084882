import type Koa from 'koa';
import type { Logger } from 'pino';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import { ProviderNotConfigured, WebhookRefused } from '../../payments/problem.ts';
import type { Payments } from '../../services/payment/open.ts';
import { takeNotice } from '../../services/payment/take-notice.ts';
import { BODY_LIMITS, readBody } from '../http/body.ts';
import type { Brake } from '../http/brake.ts';
import type { Mount } from '../http/dependencies.ts';

const PREFIX = '/v1/payment_webhook';
const HEARD_FROM: readonly ProviderName[] = ['cardproc', 'authorize'];

interface WebhookParts {
  db: Database;
  payments: Payments;
  log: Logger;
  /** of their own, so that a flood of forged notices holds up no real request */
  brake: Brake;
}

/**
 * Where providers tell what happened: `/v1/payment_webhook/{provider}`. The signature is over the exact bytes, so they are read before
 * anything else. An answer of 200 means that it is written down; anything else makes the provider tell again.
 */
export function createPaymentWebhooks(parts: WebhookParts): Mount {
  return { prefix: PREFIX, handle: (context) => hear(parts, context) };
}

async function hear({ db, payments, log, brake }: WebhookParts, context: Koa.Context): Promise<void> {
  const name = HEARD_FROM.find((provider) => context.path === `${PREFIX}/${provider}`);
  if (name === undefined || context.method !== 'POST') {
    context.status = 404;
    return;
  }
  brake.take(context.req);
  const body = await readBody(context.req, BODY_LIMITS.notice);
  try {
    const notices = await payments.providers.get(name).readWebhook({ body, header: (header) => context.get(header) });
    for (const notice of notices) await db.transaction((tx) => takeNotice(tx, name, notice, payments.retryDays), { by: 'provider' });
    context.status = 200;
    context.body = '';
  } catch (error) {
    if (!(error instanceof WebhookRefused) && !(error instanceof ProviderNotConfigured)) throw error;
    log.warn({ provider: name, reason: error.message }, 'a webhook of a payment provider was refused');
    context.status = error instanceof WebhookRefused ? 400 : 404;
  }
}
