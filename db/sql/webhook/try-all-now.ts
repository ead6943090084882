import type { Queryable } from '../../connect.ts';

/** Objects that one statement makes due. */
const AT_ONCE = 5_000;

const SQL = `
  with failing as (
    select b.lane from webhook_backlog b where b.endpoint_id = $1 and b.failures > 0 order by b.failing_since limit ${AT_ONCE}
  )
  update webhook_backlog b set failures = 0, failing_since = null, next_try = clock_timestamp()
  from failing where b.endpoint_id = $1 and b.lane = failing.lane returning 1`;

/**
 * Makes some thousands of what has failed due now, with the whole schedule of tries before it again; what was never
 * tried is due anyway. SQL, because one statement does it for thousands of rows, which an index finds.
 *
 * @returns whether there may be more
 */
export async function tryAllNow(tx: Queryable, endpointId: string): Promise<boolean> {
  const rows = await tx.query(SQL, [endpointId]);
  return rows.length === AT_ONCE;
}
