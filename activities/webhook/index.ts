import { Context } from '@temporalio/activity';
import { deliverEvents } from '../../services/webhook/deliver.ts';
import type { EndpointRef, EndpointState } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** Milliseconds for which one activity delivers; then the workflow shows where the endpoint stands. */
const LIMITS = { budgetMs: 10_000, longestMs: 45_000 };

/** What the workflow of a webhook endpoint calls. */
export interface WebhookActivities {
  /** Reads the log for the endpoint, sends what is due and notes each try. Null: the endpoint is deleted. */
  deliverEvents(endpoint: EndpointRef): Promise<EndpointState | null>;
}

export function webhookActivities({ db, webhooks, bundle }: ActivityDependencies): WebhookActivities {
  return {
    deliverEvents: withHeartbeat(async ({ endpointId }) => {
      if (webhooks === null) throw new Error('this process delivers no events');
      webhooks.inUse();
      const stopped = Context.current().cancellationSignal;
      const standing = await deliverEvents(db, webhooks, endpointId, { ...LIMITS, stopped });
      if (standing === null) return null;
      const { status, failing, hasNews, now } = standing;
      const nextTry = status === 'active' ? standing.nextTry : null;
      return { isPaused: status === 'paused', failing, nextTry, hasMore: hasNews || (nextTry !== null && nextTry <= now), bundle };
    }),
  };
}
