import type { Queryable } from '../../connect.ts';
import { HAS_THRESHOLD } from '../contract/with-threshold.ts';

/** SQL: a customer `c` has limits, alerts, top-ups or an invoice threshold. */
const WATCHES = `(exists (select from usage_limit l where l.customer_id = c.id)
    or exists (select from usage_alert a where a.customer_id = c.id)
    or exists (select from credit_top_up t where t.customer_id = c.id)
    or exists (select from contract t where t.customer_id = c.id and ${HAS_THRESHOLD}))`;

/**
 * Notes whether a customer has limits, alerts, top-ups or an invoice threshold, for which its usage is counted by one
 * transaction after the other. The caller has locked it for an update, so that no usage is counted meanwhile. SQL: one
 * statement looks for all of them.
 */
export async function noteWatched(tx: Queryable, customerId: string): Promise<void> {
  await tx.query(`update customer c set watched = ${WATCHES} where c.id = $1`, [customerId]);
}

/**
 * Locks, for an update, those of these customers that have nothing to watch any more, so that nobody signs for them
 * meanwhile; leaves out customers that others have locked. SQL: one statement looks for all of them, and waits for
 * nobody.
 */
export async function lockUnwatched(tx: Queryable, customerIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select c.id from customer c where c.id = any($1::text[]) and c.watched and not ${WATCHES} order by c.id for update skip locked`,
    [customerIds],
  );
  return rows.map(({ id }) => id);
}
