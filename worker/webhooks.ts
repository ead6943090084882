import type { Config } from '../config/config.ts';
import type { Webhooks } from '../services/webhook/port.ts';
import { openTransport } from '../services/webhook/transport.ts';
import { makeBodies } from '../snapshots/event-body.ts';

/** What deliveries need of this process. Close its transport at the end. */
export function openWebhooks({ mode, secret, webhooks }: Pick<Config, 'mode' | 'secret' | 'webhooks'>, inUse: () => void): Webhooks {
  const schedule = { pauses: webhooks.retryPauses, giveUpAfter: webhooks.giveUpAfter };
  return { transport: openTransport({ reachesPrivate: mode === 'embedded' }), makeBodies, schedule, secret, inUse };
}
