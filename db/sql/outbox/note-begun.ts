import type { Queryable } from '../../connect.ts';

/**
 * To be called before chains are signalled in another way than by their rows: notes that their runs may have begun,
 * also for a process that sends one of these rows now or, for the first time, later. SQL, because one statement does it
 * for all that are signalled at once.
 */
export async function noteBegun(db: Queryable, chainIds: readonly string[]): Promise<void> {
  await db.query(
    `update outbox o set begins_at = null, seen = null, leased_until = clock_timestamp() from (
       select kind, workflow_id from outbox where kind = 'contract' and workflow_id = any($1::text[])
         and (begins_at is not null or leased_until is not null or sent = 0)
       order by kind, workflow_id for no key update
     ) m where o.kind = m.kind and o.workflow_id = m.workflow_id`,
    [chainIds],
  );
}
