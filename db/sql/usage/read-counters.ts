import type { Queryable } from '../../connect.ts';
import type { PartKey } from './part.ts';

export interface CounterRow {
  contract_id: string;
  period_idx: number;
  slug: string;
  units: string;
}

/**
 * The counters of periods. Each period's are found by key, however many others its contract has. SQL, because only
 * Postgres trims the zeros of a sum, and a page reads many rows.
 */
export const readCounters = (db: Queryable, periods: readonly PartKey[]): Promise<CounterRow[]> =>
  db.query<CounterRow>(
    `select u.* from (select distinct contract_id, idx from unnest($1::text[], $2::int[]) as given(contract_id, idx)) k
     cross join lateral (
       select contract_id, period_idx, feature_slug as slug, trim_scale(units)::text as units from usage_counter
       where contract_id = k.contract_id and period_idx = k.idx offset 0
     ) u`,
    [periods.map(({ contractId }) => contractId), periods.map(({ idx }) => idx)],
  );
