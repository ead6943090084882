import type { Queryable } from '../../connect.ts';

/**
 * Makes everything that waits due now, with the whole schedule of tries before it again. SQL, because it may be
 * thousands of rows.
 */
export async function tryAllNow(tx: Queryable, endpointId: string): Promise<void> {
  await tx.query('update webhook_backlog set failures = 0, failing_since = null, next_try = clock_timestamp() where endpoint_id = $1', [
    endpointId,
  ]);
}
