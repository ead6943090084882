import type { Queryable } from '../../connect.ts';
import type { CounterKey } from './part.ts';

interface CountedRow extends CounterKey {
  units: string;
}

const SQL = `select u.contract_id as "contractId", u.period_idx as idx, u.feature_slug as slug, u.units
  from unnest($1::text[], $2::int[], $3::text[]) as k(contract_id, idx, slug)
  join usage_counter u on u.contract_id = k.contract_id and u.period_idx = k.idx and u.feature_slug = k.slug`;

/** The counts of features in their billing periods. SQL, because it asks for many counters by three columns at once. */
export async function counterUnits(tx: Queryable, keys: readonly CounterKey[]): Promise<CountedRow[]> {
  if (keys.length === 0) return [];
  return tx.query<CountedRow>(SQL, [keys.map(({ contractId }) => contractId), keys.map(({ idx }) => idx), keys.map(({ slug }) => slug)]);
}
