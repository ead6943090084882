import { z } from 'zod';
import { duration, durationList } from './fields.ts';
import type { Environment } from './parse.ts';
import { readVariables } from './parse.ts';

export type WebhooksConfig = {
  /** Milliseconds from each failed try of an event to the next; the last pause is repeated. */
  retryPauses: readonly number[];
  /** Milliseconds after the first failed try from which on the endpoint is paused. */
  giveUpAfter: number;
};

const variables = z.object({
  WEBHOOK_RETRY_PAUSES: durationList.prefault('5s,30s,2m,10m,1h,6h'),
  WEBHOOK_GIVE_UP_AFTER: duration.prefault('3d'),
});

export function readWebhooks(env: Environment): WebhooksConfig {
  const given = readVariables(variables, env);
  return { retryPauses: given.WEBHOOK_RETRY_PAUSES, giveUpAfter: given.WEBHOOK_GIVE_UP_AFTER };
}
