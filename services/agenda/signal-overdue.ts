import type { Database } from '../../db/connect.ts';
import { type OverduePlace, overdueWorkflows, silentWorkflows } from '../../db/sql/agenda/overdue-workflows.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';

const AT_ONCE = 200;

/**
 * Enqueues a message for each workflow that waits for something that has been due for a minute and isn't done: its
 * timer or its run was lost. A workflow that got a message since then is left out; otherwise workflows that a message
 * doesn't help would keep the others waiting. Each call looks at a part of the rows, since after an outage there may be
 * a hundred thousand.
 *
 * @param after what the call before returned; null: begins with what was due first
 * @returns where the next call goes on; null: all rows were looked at
 */
export async function signalOverdue(db: Database, after: OverduePlace | null): Promise<OverduePlace | null> {
  const { workflowIds, next } = await overdueWorkflows(db, after, AT_ONCE);
  await signal(db, workflowIds);
  return next;
}

/**
 * The same for each workflow that carries out a payment or a refund, or detaches a method, and was sent nothing for ten
 * minutes.
 *
 * @returns whether there may be more
 */
export async function signalSilent(db: Database): Promise<boolean> {
  const workflowIds = await silentWorkflows(db, AT_ONCE);
  await signal(db, workflowIds);
  return workflowIds.length >= AT_ONCE;
}

async function signal(db: Database, workflowIds: readonly string[]): Promise<void> {
  if (workflowIds.length === 0) return;
  await db.transaction(
    async (tx) => {
      for (const workflowId of workflowIds) enqueueWaiting(tx, workflowId);
    },
    { by: 'timer' },
  );
}
