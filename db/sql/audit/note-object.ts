import type { Queryable } from '../../connect.ts';

const ALONE = `select set_config('perennial.audited', $1, true)`;
const WITH_GENERAL_PLANS = `select set_config('perennial.audited', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)`;

/**
 * Makes triggers keep what this transaction changes in the rows of objects. A read before the change could be older
 * than the row that it meets. SQL, because it is a setting of the transaction; that of its plans goes with it.
 */
export async function noteAuditedObjects(tx: Queryable, objectIds: readonly string[], generalPlans: boolean): Promise<void> {
  await tx.query(generalPlans ? WITH_GENERAL_PLANS : ALONE, [objectIds.join(' ')]);
}
