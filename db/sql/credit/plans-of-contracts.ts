import type { Queryable } from '../../connect.ts';

/** The plan of each contract. SQL, because a contract's row is long, and only its plan is needed. */
export async function plansOfContracts(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; planId: string }>('select id, plan_id as "planId" from contract where id = any($1::text[])', [
    ids,
  ]);
  return new Map(rows.map(({ id, planId }) => [id, planId]));
}
