import type { Queryable } from '../../connect.ts';
import { type PartKey, sourceOf } from './part.ts';

/**
 * Begins the counters of a period at the counts of the one it goes on from; those that are there already stay. SQL,
 * because it copies all counters of a period in one statement.
 */
export async function beginCounters(tx: Queryable, from: PartKey, to: PartKey): Promise<void> {
  await tx.query(
    `insert into usage_counter (contract_id, period_idx, feature_slug, units, events)
     select $3, $4, u.feature_slug, u.units, case when p.goes_on @> ${sourceOf('u.feature_slug')} then u.events else 0 end
     from usage_counter u join usage_period p on p.contract_id = u.contract_id and p.idx = u.period_idx
     where u.contract_id = $1 and u.period_idx = $2
     on conflict do nothing`,
    [from.contractId, from.idx, to.contractId, to.idx],
  );
}
