import type { Database } from '../../db/connect.ts';
import { type OverduePlace, overdueWorkflows, silentWorkflows } from '../../db/sql/agenda/overdue-workflows.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';

const AT_ONCE = 200;

/**
 * Enqueues a message for each workflow that waits for something which was due a minute ago and isn't done: its timer or
 * its run was lost. Those that were sent a message meanwhile are left out: otherwise those that a message doesn't help
 * would keep the others waiting. It looks at some rows, and goes on behind them the next time: after an outage there
 * may be a hundred thousand.
 *
 * @param after what it returned the last time; null: it begins with what was due first
 * @returns where it goes on; null: it has looked at all
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
