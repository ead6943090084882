import type { Queryable } from '../../connect.ts';
import type { CounterKey } from './part.ts';

/**
 * Locks a counter; if it has no row yet, it gets one that begins at zero. SQL, because one statement does both, so that
 * of two transactions that count, the second waits even if neither found a row.
 *
 * @param listed how many more events the lists have
 */
export async function lockCounter(tx: Queryable, { contractId, idx, slug }: CounterKey, listed: number): Promise<void> {
  await tx.query(
    `insert into usage_counter (contract_id, period_idx, feature_slug, units, events, listed) values ($1, $2, $3, 0, 0, $4)
     on conflict (contract_id, period_idx, feature_slug) do update set listed = usage_counter.listed + excluded.listed`,
    [contractId, idx, slug, listed],
  );
}
