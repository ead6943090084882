import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { Database, Queryable } from '../connect.ts';
import { WISHES, type WishKind } from './kinds.ts';

interface WishRow {
  id: string;
  kind: WishKind;
  workflow_id: string;
  payload: Record<string, unknown>;
}

/** How a workflow is started by its business id: one runs at a time, a finished one makes room for the next. */
export function startOptions(kind: WishKind, businessId: string, taskQueue: string) {
  const { input, workflow, prefix } = WISHES[kind];
  return {
    workflowId: `${prefix}${businessId}`,
    taskQueue,
    args: [{ [input]: businessId }] as [Record<string, string>],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: `${workflow} ${businessId}`,
  };
}

/**
 * Delivers wishes that wait and notes that they are delivered. Several processes may do so at once: each takes rows nobody else holds. A wish
 * delivered twice (a crash before the note) does no harm, starting and waking are repeatable.
 *
 * @param ids those just written; null: all that wait, oldest first
 * @returns how many were delivered
 * @throws whatever Temporal or Postgres answers; the wishes wait on
 */
export async function deliverWishes(
  db: Database,
  client: Client,
  taskQueue: string,
  ids: readonly string[] | null,
  limit = 100,
): Promise<number> {
  if (ids !== null && ids.length === 0) return 0;
  return db.transaction(async (tx) => {
    const wishes = await takeWishes(tx, ids, limit);
    const results = await Promise.allSettled(wishes.map((wish) => deliver(client, taskQueue, wish)));
    const done = wishes.filter((_, index) => results[index]?.status === 'fulfilled').map((wish) => wish.id);
    await tx.query('update wish set delivered_at = clock_timestamp(), tries = tries + 1 where id = any($1::bigint[])', [done]);
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined && done.length === 0) throw failure.reason;
    return done.length;
  });
}

function takeWishes(tx: Queryable, ids: readonly string[] | null, limit: number): Promise<WishRow[]> {
  const chosen = ids === null ? '' : 'and id = any($2::bigint[])';
  return tx.query<WishRow>(
    `select id, kind, workflow_id, payload from wish where delivered_at is null ${chosen} order by id limit $1 for update skip locked`,
    ids === null ? [limit] : [limit, ids],
  );
}

async function deliver(client: Client, taskQueue: string, { kind, workflow_id: workflowId }: WishRow): Promise<void> {
  const { signal, workflow } = WISHES[kind];
  const options = startOptions(kind, workflowId, taskQueue);
  if (signal === null) await client.workflow.start(workflow, options);
  else await client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs: [] });
}
