import type { Queryable } from '../../connect.ts';

/**
 * Has Postgres keep one plan for each prepared statement of this transaction, whatever its parameters are. SQL, because
 * it is a setting of the transaction.
 */
export async function useGeneralPlans(tx: Queryable): Promise<void> {
  await tx.query('set local plan_cache_mode = force_generic_plan');
}
