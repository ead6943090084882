import type { Queryable } from '../connect.ts';
import { CANNOT_TELL } from '../payment/cannot-tell.ts';
import { FINDINGS_READ } from './most-findings.ts';

/** Chains that need a workflow: those with a live contract, with usage still open, or with something on the agenda. */
export async function chainsThatNeedAWorkflow(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select root_id as id from contract where status in ('not_ready', 'pending', 'scheduled', 'active')
      union
     select workflow_id as id from agenda where workflow_id not like 'customer:%'
      union
     select c.root_id as id from usage_period u join contract c on c.id = u.contract_id where u.status <> 'closed'
      order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Customers with something due that belongs to no contract. */
export async function customersThatNeedAWorkflow(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select distinct substr(workflow_id, 10) as id from agenda where workflow_id like 'customer:%' order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Test clocks that are advancing. */
export async function advancingClocks(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from test_clock where status = 'advancing' order by id`);
  return rows.map(({ id }) => id);
}

/** Imports that are started, and that nobody has stopped and that aren't done. */
export async function runningImports(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from import where status = 'running' order by id`);
  return rows.map(({ id }) => id);
}

/** Moves of plans that nobody has stopped and that aren't done. */
export async function runningPlanMoves(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from plan_move where status = 'running' order by id`);
  return rows.map(({ id }) => id);
}

/** A clock whose advance has made no progress for a while, or has stopped for a reason. */
export interface TroubledClock {
  id: string;
  now: number;
  /** minutes since the advance began or last made progress; null when it stopped */
  minutes: number | null;
  reason: string | null;
}

/** Test clocks that stopped for a reason, and advancing ones without progress for some minutes. */
export async function troubledClocks(db: Queryable, afterMinutes: number): Promise<TroubledClock[]> {
  return db.query<TroubledClock>(
    `select id, now, reason, case when status = 'advancing' then floor(extract(epoch from clock_timestamp() - moved_at) / 60)::int end as minutes
       from test_clock
      where status = 'failed' or (status = 'advancing' and moved_at < clock_timestamp() - make_interval(mins => $1))
      order by id limit ${FINDINGS_READ}`,
    [afterMinutes],
  );
}

/** Payment attempts that are being carried out; one that waits for its provider is a row of the agenda. */
export async function attemptsThatNeedAWorkflow(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from payment_attempt where status = 'processing' and ask_at is null order by id`);
  return rows.map(({ id }) => id);
}

/** An open payment whose provider can't tell what became of it. */
export interface UnknowableAttempt {
  id: string;
  /** the invoice, or the contract that a payment gate holds back */
  subject: string;
  reason: string;
  calledAt: number;
}

/** Those of the wall clock; on a test clock no money is taken. */
export const attemptsNobodyCanTell = (db: Queryable): Promise<UnknowableAttempt[]> =>
  db.query<UnknowableAttempt>(
    `select id, coalesce(invoice_id, gate_id) as subject, reason, called_at as "calledAt" from payment_attempt
      where status = 'processing' and test_clock_id is null and reason = any($1::text[]) order by id limit ${FINDINGS_READ}`,
    [CANNOT_TELL],
  );

/** Methods that their provider still has to delete. */
export async function methodsToDetach(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>('select id from payment_method where detach_pending order by id');
  return rows.map(({ id }) => id);
}

/** Refunds that the provider still has to make. */
export async function pendingRefunds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from payment_refund where status = 'processing' order by id`);
  return rows.map(({ id }) => id);
}

/** Contracts that wait to be resumed; one that has ended may still have usage to close. */
export async function parkedContracts(db: Queryable): Promise<{ id: string; reason: string }[]> {
  return db.query(`select id, parked_reason as reason from contract where parked_reason is not null order by id limit ${FINDINGS_READ}`);
}

/**
 * Messages to workflows that have been unsent for a while, because sending failed or nobody tried. One that was never
 * tried counts from the time set for its first try.
 */
export async function unsentMessages(
  db: Queryable,
  olderThanMs: number,
): Promise<{ kind: string; workflowId: string; tries: number; failure: string | null }[]> {
  return db.query(
    `select kind, workflow_id as "workflowId", tries, failure from outbox
      where sent < wanted and case when tries = 0 then next_try else coalesce(sent_at, created) end < now() - $1 * interval '1 millisecond'
      order by next_try limit ${FINDINGS_READ}`,
    [olderThanMs],
  );
}

/** Those of some workflows that have a message to be sent. */
export async function waitingForMessage(db: Queryable, workflowIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select distinct workflow_id as id from outbox where sent < wanted and workflow_id = any($1::text[])',
    [workflowIds],
  );
  return rows.map(({ id }) => id);
}
