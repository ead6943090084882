import type { Queryable } from '../../connect.ts';

/**
 * Notes that the runs of these chains have been signalled, so that they begin their first task. SQL, because one
 * statement does it for many.
 */
export async function noteBegun(db: Queryable, chainIds: readonly string[]): Promise<void> {
  await db.query(
    `update outbox o set begins_at = null, seen = null from (
       select kind, workflow_id from outbox where kind = 'contract' and workflow_id = any($1::text[]) and begins_at is not null
       order by kind, workflow_id for no key update
     ) m where o.kind = m.kind and o.workflow_id = m.workflow_id`,
    [chainIds],
  );
}
