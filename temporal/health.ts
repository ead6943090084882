import type { Client } from '@temporalio/client';

const LONGEST_MS = 2_500;
/** A worker asks for work again after a minute at most. */
const ASKS_WITHIN_MS = 75_000;
/** TASK_QUEUE_TYPE_WORKFLOW */
const WORKFLOW_TASKS = 1;

/** Throws when Temporal doesn't answer. */
export async function requireTemporal({ connection }: Client): Promise<void> {
  await connection.withDeadline(Date.now() + LONGEST_MS, () => connection.workflowService.getSystemInfo({}));
}

/**
 * Whether a worker takes work from the queue; one that was killed still seems to for a minute.
 *
 * @throws when Temporal doesn't answer
 */
export async function hasWorker({ connection, options: { namespace } }: Client, taskQueue: string): Promise<boolean> {
  const { pollers } = await connection.withDeadline(Date.now() + LONGEST_MS, () =>
    connection.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: WORKFLOW_TASKS }),
  );
  const since = (Date.now() - ASKS_WITHIN_MS) / 1_000;
  return pollers.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) >= since);
}
