import type { Queryable } from '../connect.ts';

/**
 * Contracts that need a workflow: those that live, and ended ones that still have something on the agenda. A scheduled successor has
 * none of its own: its predecessor carries the change.
 */
export async function contractsThatNeedAWorkflow(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from contract where status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor
      union
     select contract_id as id from agenda where contract_id is not null
      union
     select u.contract_id as id from usage_period u join contract c on c.id = u.contract_id
      where u.status <> 'closed' and not c.is_successor
      order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Test clocks that are on their way. */
export async function advancingClocks(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from test_clock where status = 'advancing' order by id`);
  return rows.map(({ id }) => id);
}

/** Invoices with a payment whose outcome isn't settled. */
export async function invoicesThatNeedAWorkflow(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from invoice where deposit_transaction_status = 'processing' order by id`);
  return rows.map(({ id }) => id);
}

/** Contracts that wait to be resumed; one that has ended may still have usage to close. */
export async function parkedContracts(db: Queryable): Promise<{ id: string; reason: string }[]> {
  return db.query('select id, parked_reason as reason from contract where parked_reason is not null order by id limit 100');
}

/** Wishes to start or wake a workflow that nobody has delivered for a while since they could be; some are made to wait at first. */
export async function undeliveredWishes(
  db: Queryable,
  olderThanMs: number,
): Promise<{ id: string; kind: string; workflowId: string; tries: number; failure: string | null }[]> {
  return db.query(
    `select id::text as id, kind, workflow_id as "workflowId", tries, failure from wish
      where delivered_at is null and case when tries = 0 then greatest(created, next_try) else created end < now() - $1 * interval '1 millisecond'
      order by wish.id limit 100`,
    [olderThanMs],
  );
}
