import type { Queryable } from '../../connect.ts';
import { keyOf, type PartKey } from './part.ts';

interface CounterRow {
  contractId: string;
  idx: number;
  slug: string;
  units: string;
}

/** The counters of usage periods. */
export class Counters {
  readonly #of: ReadonlyMap<string, readonly CounterRow[]>;

  constructor(rows: readonly CounterRow[]) {
    this.#of = Map.groupBy(rows, keyOf);
  }

  of(period: PartKey): readonly CounterRow[] {
    return this.#of.get(keyOf(period)) ?? [];
  }
}

/**
 * The counters of periods. Each period's are found by key, however many others its contract has. SQL, because only
 * Postgres trims the zeros of a sum, and a page reads many rows.
 */
export const readCounters = async (db: Queryable, periods: readonly PartKey[]): Promise<Counters> =>
  new Counters(
    await db.query<CounterRow>(
      `select u.* from (select distinct contract_id, idx from unnest($1::text[], $2::int[]) as given(contract_id, idx)) k
       cross join lateral (
         select contract_id as "contractId", period_idx as idx, feature_slug as slug, trim_scale(units)::text as units from usage_counter
         where contract_id = k.contract_id and period_idx = k.idx offset 0
       ) u`,
      [periods.map(({ contractId }) => contractId), periods.map(({ idx }) => idx)],
    ),
  );
