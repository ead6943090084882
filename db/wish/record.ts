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
 * Wishes to start or wake workflows, written with the fact that makes them necessary. One of the same kind for the same workflow that
 * still waits says it all already: it is held until this transaction ends, so that nobody delivers it before the fact can be read, and what an
 * older fact made it wait for its next try is no concern of this one.
 *
 * @returns ids to be delivered right after the commit
 */
export async function recordWishes(tx: Queryable, wishes: readonly NewWish[], at: Instant = Date.now()): Promise<string[]> {
  if (wishes.length === 0) return [];
  const asked = new Map(wishes.map((wish) => [`${wish.kind} ${wish.workflowId}`, wish]));
  const waiting = await tx.query<{ id: string; kind: string; workflow_id: string; next_try: Instant }>(
    `select id, kind, workflow_id, next_try from wish where delivered_at is null and workflow_id = any($1::text[]) order by id for update skip locked`,
    [wishes.map((wish) => wish.workflowId)],
  );
  const held = waiting.filter((row) => asked.delete(`${row.kind} ${row.workflow_id}`));
  await hurry(
    tx,
    held.filter(({ next_try }) => next_try > at).map(({ id }) => id),
  );
  const rows = [...asked.values()].map(({ kind, workflowId, payload }) => ({
    kind,
    workflow_id: workflowId,
    payload,
    created: stamp(at),
    next_try: stamp(at),
    tries: 0,
  }));
  return [...held.map(({ id }) => id), ...(await insertRows<{ id: string }>(tx, 'wish', rows, 'returning id')).map((row) => row.id)];
}

async function hurry(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query('update wish set next_try = clock_timestamp() where id = any($1::bigint[])', [ids]);
}
