import type { Queryable } from '../../connect.ts';
import { HAS_THRESHOLD } from '../contract/with-threshold.ts';

/**
 * Notes whether a customer has limits, alerts, top-ups or an invoice threshold, for which its usage is counted by one
 * transaction after the other. The caller has locked it for an update, so that no usage is counted meanwhile. SQL: one
 * statement looks for all of them.
 */
export async function noteWatched(tx: Queryable, customerId: string): Promise<void> {
  await tx.query(
    `update customer c set watched = exists (select from usage_limit l where l.customer_id = c.id)
       or exists (select from usage_alert a where a.customer_id = c.id)
       or exists (select from credit_top_up t where t.customer_id = c.id)
       or exists (select from contract t where t.customer_id = c.id and ${HAS_THRESHOLD})
     where c.id = $1`,
    [customerId],
  );
}
