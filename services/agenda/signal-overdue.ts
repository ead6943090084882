import type { Database } from '../../db/connect.ts';
import { overdueWorkflows } from '../../db/sql/agenda/overdue-workflows.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';

const AT_ONCE = 200;

/**
 * Enqueues a message for each workflow that waits for something which was due a minute ago and isn't done, or that
 * carries out a payment or a refund, or detaches a method, and was sent nothing for ten: its timer or its run was lost.
 * Those that were sent a message meanwhile are left out: otherwise those that a message doesn't help would keep the
 * others waiting.
 *
 * @returns whether there may be more
 */
export async function signalOverdue(db: Database): Promise<boolean> {
  const workflowIds = await overdueWorkflows(db, AT_ONCE);
  if (workflowIds.length === 0) return false;
  await db.transaction(
    async (tx) => {
      for (const workflowId of workflowIds) enqueueWaiting(tx, workflowId);
    },
    { by: 'timer' },
  );
  return workflowIds.length >= AT_ONCE;
}
