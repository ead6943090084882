import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhook/index.ts';
import type { Instant } from '../../billing/calendar/instant.ts';
import { outsideActivities } from '../activities.ts';
import { Alarm } from '../contract/alarm.ts';
import { growingPause } from '../growing-pause.ts';
import { CHANGED_SIGNAL, type EndpointRef } from '../messages.ts';
import { deliveryQueue } from './queue.messages.ts';
import { endpointText, nextTryText } from './words.messages.ts';

const changedSignal = defineSignal(CHANGED_SIGNAL);

/**
 * Delivers the events of a vendor's log to one endpoint: whenever the log has news, and whenever a try is due that
 * follows a failed one. It knows ids alone; the log, what waits and since when stand in Postgres. It ends when the
 * endpoint is deleted.
 */
export async function webhookEndpoint(endpoint: EndpointRef): Promise<void> {
  let hasNews = false;
  setHandler(changedSignal, () => {
    hasNews = true;
  });
  const alarm = new Alarm();
  const { deliverEvents } = outsideActivities<WebhookActivities>({ taskQueue: deliveryQueue(workflowInfo().taskQueue) });
  const deliver = () => {
    hasNews = false;
    return deliverEvents(endpoint);
  };
  let awaited: Instant | null = null;
  let early = 0;
  await CancellationScope.nonCancellable(async () => {
    const first = await deliver();
    for (let state = first; state !== null; state = await deliver()) {
      setCurrentDetails(endpointText(endpoint.endpointId, state));
      const isOld = state.bundle !== first?.bundle || workflowInfo().continueAsNewSuggested;
      // also with news: the next run begins with a look, and steady news would let this one grow without end
      if (isOld) await continueAsNew<typeof webhookEndpoint>(endpoint);
      if (state.hasMore) continue;
      // a try that isn't due yet by Postgres's clock, which is behind, is looked at after growing pauses
      early = alarm.rang && state.nextTry !== null && state.nextTry === awaited ? early + 1 : 0;
      awaited = state.nextTry;
      alarm.arm(early === 0 ? awaited : Date.now() + growingPause(early), nextTryText(state));
      await condition(() => hasNews || alarm.rang);
    }
  });
}
