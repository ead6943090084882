import type { MessageKindName } from './message-kinds.ts';

/**
 * The task queue of the bill run, apart from the one that all other workflows share: when a herd wakes, the tasks of
 * its chains would otherwise run before those of the bill run that does their work.
 */
export const billRunQueue = (taskQueue: string): string => `${taskQueue}-bill-run`;

/** The task queue on which the workflow of a message runs. */
export const taskQueueOf = (kind: MessageKindName, taskQueue: string): string =>
  kind === 'bill_run' ? billRunQueue(taskQueue) : taskQueue;
