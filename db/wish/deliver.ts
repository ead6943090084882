import { type Client, isGrpcServiceError, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { Database, Queryable } from '../connect.ts';
import { reasonOf } from '../fault.ts';
import { WISHES, type WishKind } from './kinds.ts';

interface WishRow {
  id: string;
  kind: WishKind;
  workflow_id: string;
  payload: Record<string, unknown>;
  tries: number;
}

/** What became of some wishes. */
interface Delivery {
  /** how many were taken up */
  taken: number;
  /** why some were not delivered; each waits for its next try */
  failures: unknown[];
}

/** How a workflow is started by its business id: one runs at a time, a finished one makes room for the next. */
export function startOptions(kind: WishKind, businessId: string, taskQueue: string) {
  const { input, does, prefix } = WISHES[kind];
  return {
    workflowId: `${prefix}${businessId}`,
    taskQueue,
    args: [{ [input]: businessId }] as [Record<string, string>],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: `${does}: ${businessId}`,
  };
}

/**
 * Delivers wishes that wait and notes that they are delivered. Several processes may do so at once: each takes rows nobody else holds. A wish
 * delivered twice (a crash before the note) does no harm, starting and waking are repeatable. One that fails waits for its own next try.
 *
 * @param ids those just written; null: all whose time has come, those tried least first
 * @throws whatever Postgres answers
 */
export async function deliverWishes(
  db: Database,
  client: Client,
  taskQueue: string,
  ids: readonly string[] | null,
  limit = 100,
): Promise<Delivery> {
  if (ids !== null && ids.length === 0) return { taken: 0, failures: [] };
  return db.transaction(async (tx) => {
    const wishes = await takeWishes(tx, ids, limit);
    const results = await Promise.allSettled(wishes.map((wish) => deliver(client, taskQueue, wish)));
    const failed = wishes.flatMap((wish, i) => {
      const result = results[i];
      return result?.status === 'rejected' ? [{ wish, error: result.reason as unknown }] : [];
    });
    await noteDelivered(
      tx,
      wishes.filter((_, i) => results[i]?.status === 'fulfilled'),
    );
    await putOff(tx, failed);
    return { taken: wishes.length, failures: failed.map(({ error }) => error) };
  });
}

/** Those tried least come first: what can't be delivered never stands before what can. */
function takeWishes(tx: Queryable, ids: readonly string[] | null, limit: number): Promise<WishRow[]> {
  const chosen = ids === null ? 'next_try <= clock_timestamp()' : 'id = any($2::bigint[])';
  return tx.query<WishRow>(
    `select id, kind, workflow_id, payload, tries from wish where delivered_at is null and ${chosen}
     order by tries, next_try, id limit $1 for update skip locked`,
    ids === null ? [limit] : [limit, ids],
  );
}

async function noteDelivered(tx: Queryable, wishes: readonly WishRow[]): Promise<void> {
  if (wishes.length === 0) return;
  await tx.query('update wish set delivered_at = clock_timestamp(), tries = tries + 1, failure = null where id = any($1::bigint[])', [
    wishes.map(({ id }) => id),
  ]);
}

async function putOff(tx: Queryable, failed: readonly { wish: WishRow; error: unknown }[]): Promise<void> {
  if (failed.length === 0) return;
  await tx.query(
    `update wish set tries = tries + 1, failure = x.failure, next_try = clock_timestamp() + x.pause * interval '1 millisecond'
     from unnest($1::bigint[], $2::text[], $3::int[]) as x(id, failure, pause) where wish.id = x.id`,
    [
      failed.map(({ wish }) => wish.id),
      failed.map(({ error }) => failureText(error)),
      failed.map(({ wish, error }) => pauseAfter(wish.tries + 1, isAway(error))),
    ],
  );
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;
/** A server that comes back finds everything delivered soon. */
const LONGEST_WHILE_AWAY = 15_000;
const LONGEST_TEXT = 300;
/** gRPC: CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE */
const AWAY = new Set([1, 4, 14]);

/**
 * How long a wish waits for its next try.
 *
 * @param tries so many have failed
 * @param isAway it was not refused: nobody answered
 * @returns milliseconds
 * @example pauseAfter(1, false) // 1000
 * @example pauseAfter(20, true) // 15000
 */
export function pauseAfter(tries: number, isAway: boolean): number {
  return Math.min(FIRST_PAUSE * 2 ** (tries - 1), isAway ? LONGEST_WHILE_AWAY : LONGEST_PAUSE);
}

function isAway(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && AWAY.has(cause.code);
}

/** What the server said, and what was asked of it. */
function failureText(error: unknown): string {
  const said = error instanceof Error && error.cause !== undefined ? `${reasonOf(error)}: ${reasonOf(error.cause)}` : reasonOf(error);
  return said.slice(0, LONGEST_TEXT);
}

async function deliver(client: Client, taskQueue: string, { kind, workflow_id: workflowId }: WishRow): Promise<void> {
  const { signal, workflow } = WISHES[kind];
  const options = startOptions(kind, workflowId, taskQueue);
  if (signal === null) await client.workflow.start(workflow, options);
  else await client.workflow.signalWithStart(workflow, { ...options, signal, signalArgs: [] });
}
