import type { Queryable } from '../../connect.ts';

export interface CounterRow {
  contract_id: string;
  period_idx: number;
  slug: string;
  units: string;
}

/** All counters of contracts. SQL, because only Postgres trims the zeros of a sum, and a page reads many rows. */
export const readCounters = (db: Queryable, contractIds: readonly string[]): Promise<CounterRow[]> =>
  db.query<CounterRow>(
    `select contract_id, period_idx, feature_slug as slug, trim_scale(units)::text as units from usage_counter
     where contract_id = any($1::text[])`,
    [contractIds],
  );
