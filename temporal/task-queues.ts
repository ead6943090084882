import type { MessageKindName } from './message-kinds.ts';

/**
 * The task queue of the bill run, apart from the one that all other workflows share: when a herd wakes, the tasks of
 * its chains would otherwise run before those of the bill run that does their work.
 */
export const billRunQueue = (taskQueue: string): string => `${taskQueue}-bill-run`;

/** The task queue of endpoints, apart from the others, so that slow receivers hold up nothing but deliveries. */
export const webhookQueue = (taskQueue: string): string => `${taskQueue}-webhook`;

/** The task queue on which the workflow of a message runs. */
export function taskQueueOf(kind: MessageKindName, taskQueue: string): string {
  if (kind === 'bill_run') return billRunQueue(taskQueue);
  return kind === 'webhook' ? webhookQueue(taskQueue) : taskQueue;
}
