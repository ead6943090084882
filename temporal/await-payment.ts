import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { OutboxDispatcher } from './dispatcher.ts';
import { isAway } from './failure.ts';
import { workflowIdOf } from './message-kinds.ts';

/** Milliseconds for the message that starts the workflow to be sent, with those that are sent together with it. */
const SENDING_MS = 250;
/** The relay may still have that message. */
const LOOK_AGAIN_MS = 25;

interface Parts {
  client: Client;
  /** what sends the message that starts the workflow */
  dispatcher: Pick<OutboxDispatcher, 'handled'>;
}

/**
 * Waits until the workflow of a payment attempt has ended, at most for the time given. The outcome is read from
 * Postgres: when Temporal doesn't answer or the attempt takes longer, the attempt is still open there.
 */
export async function awaitPayment(parts: Parts, attemptId: string, longestMs: number): Promise<void> {
  const answered = new AbortController();
  // the client's own retries ignore the deadline while they pause
  const timeUp = pause(longestMs, undefined, { signal: answered.signal });
  try {
    await Promise.race([whenEnded(parts, attemptId, Date.now() + longestMs), timeUp]);
  } finally {
    answered.abort();
  }
}

async function whenEnded({ client, dispatcher }: Parts, attemptId: string, until: number): Promise<void> {
  const workflowId = workflowIdOf('payment', attemptId);
  await Promise.race([dispatcher.handled({ kind: 'payment', workflowId }), pause(SENDING_MS, undefined, { ref: false })]);
  const handle = client.workflow.getHandle(workflowId);
  while (Date.now() < until) {
    try {
      await client.connection.withDeadline(until, () => handle.result());
      return;
    } catch (error) {
      // a workflow that has failed has no outcome to wait for
      if (!(error instanceof WorkflowNotFoundError || isAway(error))) return;
      await pause(LOOK_AGAIN_MS);
    }
  }
}
