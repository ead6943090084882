import type { Client, Connection } from '@temporalio/client';
import { connectWithin, type Server } from './client.ts';
import { registerSearchAttributes } from './search-attributes.ts';

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

/** The identities of the processes that ask for workflow tasks of a queue. */
export async function askingForWork({ workflowService }: Connection, namespace: string, taskQueue: string): Promise<string[]> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  });
  return (pollers ?? []).flatMap(({ identity }) => identity ?? []);
}

/**
 * Registers the search attributes that a namespace lacks.
 *
 * @throws when the server doesn't answer yet, or has no such namespace
 */
export async function prepareNamespace({ address, namespace }: Server): Promise<void> {
  const connection = await connectWithin(address, '1s');
  try {
    await connection.workflowService.describeNamespace({ namespace });
    await registerSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}
