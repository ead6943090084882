import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../connect.ts';
import { insertRows, stamp } from '../rows.ts';
import type { WishKind } from './kinds.ts';

export interface NewWish {
  kind: WishKind;
  /** the business id: contract, clock, invoice … */
  workflowId: string;
  payload: Record<string, unknown>;
}

/**
 * Wishes to start or wake workflows, written with the fact that makes them necessary. A wish of the same kind for the same workflow that
 * waits already says it all: it isn't written twice.
 *
 * @returns ids of the wishes written, to be delivered right after the commit
 */
export async function recordWishes(tx: Queryable, wishes: readonly NewWish[], at: Instant = Date.now()): Promise<string[]> {
  if (wishes.length === 0) return [];
  const waiting = await tx.query<{ kind: string; workflow_id: string }>(
    `select kind, workflow_id from wish where delivered_at is null and workflow_id = any($1::text[])`,
    [wishes.map((wish) => wish.workflowId)],
  );
  const known = new Set(waiting.map((row) => `${row.kind} ${row.workflow_id}`));
  const fresh = wishes.filter(({ kind, workflowId }) => {
    const key = `${kind} ${workflowId}`;
    return known.has(key) ? false : known.add(key);
  });
  const rows = fresh.map(({ kind, workflowId, payload }) => ({ kind, workflow_id: workflowId, payload, created: stamp(at), tries: 0 }));
  return (await insertRows<{ id: string }>(tx, 'wish', rows, 'returning id')).map((row) => row.id);
}
