import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { MessageSubject } from '../db/sql/outbox/read-subjects.ts';
import { inputOf, MESSAGE_KINDS, type MessageKindName } from './message-kinds.ts';
import { attributesOf } from './search-attributes.ts';
import { taskQueueOf } from './task-queues.ts';

/** The one signal every workflow takes: its facts in Postgres have changed. */
const CHANGED = 'changed';

/**
 * Signals a workflow that its facts have changed, and starts it where it doesn't run. Sending it twice does no harm.
 */
export async function send(
  client: Client,
  taskQueue: string,
  { kind, workflowId }: { kind: MessageKindName; workflowId: string },
  subject: MessageSubject | null = null,
): Promise<void> {
  const { workflow, summary } = MESSAGE_KINDS[kind];
  await client.workflow.signalWithStart(workflow, {
    workflowId,
    taskQueue: taskQueueOf(kind, taskQueue),
    args: inputOf(kind, workflowId),
    signal: CHANGED,
    signalArgs: [],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: subject?.invoiceId == null ? summary : `${summary}: ${subject.invoiceId}`,
    ...(subject === null ? {} : { typedSearchAttributes: attributesOf(subject), ...detailsOf(subject) }),
  });
}

/** The objects the workflow works on, by ids that the Temporal UI and the API find. */
function detailsOf({ customerId, contractIds, invoiceId, waitingWorkflowId }: MessageSubject): { staticDetails?: string } {
  if (invoiceId === null || waitingWorkflowId === null) return {};
  const contract = contractIds.map((id) => ` of contract \`${id}\``).join('');
  return {
    staticDetails: `Invoice \`${invoiceId}\`${contract}, customer \`${customerId}\`.\n\nWhat is due of it stands in the workflow \`${waitingWorkflowId}\`.${CUT_OFF}`,
  };
}

/** The Temporal UI cuts off the last paragraph of what it shows: an empty one is there to be cut. */
const CUT_OFF = '\n\n\u00a0';
