import type { Queryable } from '../../connect.ts';
import { closesByItself } from '../contract/open-periods.ts';
import { HAS_THRESHOLD } from '../contract/with-threshold.ts';
import { PRICED_STATE } from './note-room.ts';
import type { CounterKey } from './part.ts';
import { takesUsage } from './takes-usage.ts';

/** A contract with an invoice threshold. */
export interface RoomOfContract {
  customerId: string;
  /** its threshold isn't reached, whatever else is known of it */
  hasRoom: boolean;
}

const SQL = `with added as (
    select contract_id, idx, slug, sum(units) as units
    from unnest($2::text[], $3::int[], $4::text[], $5::numeric[]) as k(contract_id, idx, slug, units) group by 1, 2, 3
  ),
  own as materialized (
    select t.id, t.customer_id, t.terms, ${PRICED_STATE} as state from contract t
    where t.customer_id = any($1::text[]) and t.began is not null and ${HAS_THRESHOLD}
  )
  select own.customer_id as "customerId", not exists (
      select from (
        select p.idx from usage_period p where p.contract_id = own.id and ${closesByItself('p')}
        union
        select p.idx from added k join usage_period p on p.contract_id = k.contract_id and p.idx = k.idx
        where k.contract_id = own.id and p.status <> 'closed'
      ) p join usage_counter u on u.contract_id = own.id and u.period_idx = p.idx
      left join added a on a.contract_id = u.contract_id and a.idx = u.period_idx and a.slug = u.feature_slug
      where ${takesUsage('own', 'u.feature_slug')}
        and (u.room_in is distinct from own.state or u.units + coalesce(a.units, 0) > u.room_to)
    )
    and not exists (
      select from added a where a.contract_id = own.id and not exists (
        select from usage_counter u where u.contract_id = a.contract_id and u.period_idx = a.idx and u.feature_slug = a.slug
      )
    ) as "hasRoom"
  from own`;

/**
 * The contracts of customers that have an invoice threshold, and whether they surely stay below it once units are
 * added: what was noted still holds, and no count passes it. Counts of what a contract no longer sells don't matter,
 * nor those that stay as they were of periods that only a caller closes, which may be thousands.
 * The caller has locked the customers, and the places of the units. SQL: it compares versions of rows, for many
 * contracts at once.
 */
export const roomOfContracts = (
  tx: Queryable,
  customerIds: readonly string[],
  added: readonly (CounterKey & { units: string })[],
): Promise<RoomOfContract[]> =>
  tx.query<RoomOfContract>(SQL, [
    customerIds,
    added.map(({ contractId }) => contractId),
    added.map(({ idx }) => idx),
    added.map(({ slug }) => slug),
    added.map(({ units }) => units),
  ]);
