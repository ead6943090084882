import type { Queryable } from '../../connect.ts';

/**
 * Units reported in a period, by feature, from its counters. SQL: part of reading a contract whose rollover is late.
 */
export async function usedUnits(db: Queryable, contractId: string, idx: number): Promise<Record<string, string>> {
  const rows = await db.query<{ slug: string; units: string }>(
    'select feature_slug as slug, trim_scale(units)::text as units from usage_counter where contract_id = $1 and period_idx = $2',
    [contractId, idx],
  );
  return Object.fromEntries(rows.map(({ slug, units }) => [slug, units]));
}
