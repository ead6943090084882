import type { Queryable } from '../../connect.ts';
import { PRICED_STATE } from './note-room.ts';
import type { CounterKey } from './part.ts';

const SQL = `with added as (
    select contract_id, idx, slug, sum(units) as units
    from unnest($2::text[], $3::int[], $4::text[], $5::numeric[]) as k(contract_id, idx, slug, units) group by 1, 2, 3
  ),
  own as materialized (select t.id, ${PRICED_STATE} as state from contract t where t.id = any($1::text[]))
  select own.id from own
  where exists (
      select from usage_period p join usage_counter u on u.contract_id = p.contract_id and u.period_idx = p.idx
      left join added a on a.contract_id = u.contract_id and a.idx = u.period_idx and a.slug = u.feature_slug
      where p.contract_id = own.id and p.status <> 'closed'
        and (u.room_in is distinct from own.state or u.units + coalesce(a.units, 0) > u.room_to)
    )
    or exists (
      select from added a where a.contract_id = own.id and not exists (
        select from usage_counter u where u.contract_id = a.contract_id and u.period_idx = a.idx and u.feature_slug = a.slug
      )
    )`;

/**
 * Contracts whose invoice threshold may be reached once units are added: what is known of them is outdated, or a count
 * passes what was noted. The caller has locked the customers, and the places of the units. SQL: it compares versions
 * of rows, for many contracts at once.
 */
export async function withoutRoom(
  tx: Queryable,
  contractIds: readonly string[],
  added: readonly (CounterKey & { units: string })[],
): Promise<Set<string>> {
  if (contractIds.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(SQL, [
    contractIds,
    added.map(({ contractId }) => contractId),
    added.map(({ idx }) => idx),
    added.map(({ slug }) => slug),
    added.map(({ units }) => units),
  ]);
  return new Set(rows.map(({ id }) => id));
}
