import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { isAway } from './failure.ts';
import { workflowIdOf } from './message-kinds.ts';

/** Its message is on its way: the workflow may begin a moment later. */
const LOOK_AGAIN_MS = 25;

/**
 * Waits until the workflow of a payment attempt has ended, at most so long. What it came to is read from Postgres: a Temporal that is away, or an attempt
 * that takes longer, leaves the attempt open there.
 */
export async function awaitPayment(client: Client, attemptId: string, longestMs: number): Promise<void> {
  const answered = new AbortController();
  // the client's own tries again don't look at a time limit while they pause
  const timeUp = pause(longestMs, undefined, { signal: answered.signal });
  try {
    await Promise.race([whenEnded(client, attemptId, Date.now() + longestMs), timeUp]);
  } finally {
    answered.abort();
  }
}

async function whenEnded(client: Client, attemptId: string, until: number): Promise<void> {
  const handle = client.workflow.getHandle(workflowIdOf('payment', attemptId));
  while (Date.now() < until) {
    try {
      await client.connection.withDeadline(until, () => handle.result());
      return;
    } catch (error) {
      // one that failed tells nothing more
      if (!(error instanceof WorkflowNotFoundError || isAway(error))) return;
      await pause(LOOK_AGAIN_MS);
    }
  }
}
