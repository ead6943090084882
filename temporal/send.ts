import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy, type WorkflowSignalWithStartOptions } from '@temporalio/client';
import { CHANGED_SIGNAL, RUNS_AT_MEMO, SEEN_MEMO } from '../workflows/messages.ts';
import { inputOf, MESSAGE_KINDS, type MessageKindName } from './message-kinds.ts';
import type { WorkflowStart } from './start.ts';
import { taskQueueOf } from './task-queues.ts';

/**
 * Signals a workflow that its facts have changed, and starts it where it doesn't run. Sending it twice does no harm.
 *
 * @param start how to start it; its first task waits until it has something to do, or until the next message. Null: it
 *   runs at once and reads its facts then
 * @param running what becomes of a run that is there: `is ended` puts a new one in its place in the same step, so that
 *   at no moment there is none
 */
export async function send(
  client: Client,
  taskQueue: string,
  { kind, workflowId }: { kind: MessageKindName; workflowId: string },
  start: WorkflowStart | null = null,
  running: 'goes on' | 'is ended' = 'goes on',
): Promise<void> {
  const { workflow, summary, priority } = MESSAGE_KINDS[kind];
  await client.workflow.signalWithStart(workflow, {
    workflowId,
    taskQueue: taskQueueOf(kind, taskQueue),
    args: inputOf(kind, workflowId),
    signal: CHANGED_SIGNAL,
    signalArgs: [],
    workflowIdConflictPolicy: running === 'is ended' ? WorkflowIdConflictPolicy.TERMINATE_EXISTING : WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    priority: { priorityKey: priority },
    staticSummary: start?.about == null ? summary : `${summary}: ${start.about}`,
    ...(start === null ? {} : optionsOf(start)),
  });
}

function optionsOf({ attributes, details, runsAt, seen }: WorkflowStart): Partial<WorkflowSignalWithStartOptions> {
  const delay = runsAt === null ? 0 : runsAt - Date.now();
  return {
    typedSearchAttributes: attributes,
    ...(details === null ? {} : { staticDetails: details }),
    ...(delay > 0 ? { startDelay: delay } : {}),
    memo: { ...(seen === null ? {} : { [SEEN_MEMO]: seen }), ...(delay > 0 ? { [RUNS_AT_MEMO]: runsAt } : {}) },
  };
}
