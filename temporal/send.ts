import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { inputOf, MESSAGE_KINDS, type MessageKindName } from './message-kinds.ts';
import { attributesOf, type Subject } from './search-attributes.ts';

/** The one signal every workflow takes: its facts in Postgres have changed. */
const CHANGED = 'changed';

/** Tells a workflow that its facts have changed, and starts it where it doesn't run. Sent twice it does no harm. */
export async function send(
  client: Client,
  taskQueue: string,
  { kind, workflowId }: { kind: MessageKindName; workflowId: string },
  subject: Subject | null = null,
): Promise<void> {
  const { workflow, summary } = MESSAGE_KINDS[kind];
  await client.workflow.signalWithStart(workflow, {
    workflowId,
    taskQueue,
    args: inputOf(kind, workflowId),
    signal: CHANGED,
    signalArgs: [],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: summary,
    ...(subject === null ? {} : { typedSearchAttributes: attributesOf(subject) }),
  });
}
