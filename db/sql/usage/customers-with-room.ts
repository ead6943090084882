import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { closesByItself } from '../contract/open-periods.ts';
import { ROOM_KEY } from './keep-room.ts';
import { MONEY_STATE } from './money-state.ts';
import type { CounterKey } from './part.ts';
import { KEEPS } from './reserved-units.ts';

/** Units that are about to be counted, and when they are dated. */
export type AddedUnits = CounterKey & { units: string; at: Instant };

const SQL = `with added as (
    select contract_id, idx, slug, sum(units) as units, min(at) as at
    from unnest($2::text[], $3::int[], $4::text[], $5::numeric[], $6::timestamptz[]) as k(contract_id, idx, slug, units, at) group by 1, 2, 3
  ),
  own as materialized (
    select c.id, r.rooms, r.since from customer c join usage_room r on r.customer_id = c.id left join test_clock k on k.id = c.test_clock_id
    where c.id = any($1::text[]) and r.state = ${MONEY_STATE} and (r.until is null or r.until > coalesce(k.now, clock_timestamp()))
  ),
  reserved as materialized (
    select r.customer_id, r.feature_slug, sum(r.units) as units from own join customer c on c.id = own.id
    join usage_reservation r on r.customer_id = c.id and ${KEEPS} group by 1, 2
  ),
  counted as materialized (
    select own.id, u.contract_id, u.period_idx, u.feature_slug, a.units as added, a.at, own.since,
      u.units + coalesce(a.units, 0) + coalesce(v.units, 0) as taken, coalesce(v.units, 0) as reserved, (own.rooms ->> (${ROOM_KEY}))::numeric as room
    from own join contract t on t.customer_id = own.id and t.ended is null and t.status = 'active'
    cross join lateral (
      select p.idx from usage_period p where p.contract_id = t.id and ${closesByItself('p')}
      union
      select p.idx from added k join usage_period p on p.contract_id = k.contract_id and p.idx = k.idx
      where k.contract_id = t.id and p.status <> 'closed'
    ) p
    join usage_counter u on u.contract_id = t.id and u.period_idx = p.idx
    left join added a on a.contract_id = u.contract_id and a.idx = u.period_idx and a.slug = u.feature_slug
    left join reserved v on v.customer_id = own.id and v.feature_slug = u.feature_slug
  )
  select own.id from own
  where not exists (
      select from counted n where n.id = own.id
        and (case when n.room is null then n.added is not null or n.reserved > 0 else n.taken > n.room end or n.at < n.since)
    )
    and not exists (
      select from added a join contract t on t.id = a.contract_id
      where t.customer_id = own.id and not exists (
        select from counted n where n.contract_id = a.contract_id and n.period_idx = a.idx and n.feature_slug = a.slug
      )
    )
    and not exists (
      select from reserved v where v.customer_id = own.id
        and not exists (select from counted n where n.id = own.id and n.feature_slug = v.feature_slug)
    )`;

/**
 * The customers whose usage, with units added, surely reaches no limit, alert or top-up about money: the stored counts
 * still hold for the customer's state, and no count passes them, reservations included. Of periods that only a caller
 * closes, which may be thousands, those that units are added to are looked at: the counts of the others stay as they
 * were. The caller has locked the customers, and the places of the units. SQL: it compares versions of rows, for many
 * customers at once.
 */
export async function customersWithRoom(tx: Queryable, customerIds: readonly string[], added: readonly AddedUnits[]): Promise<Set<string>> {
  if (customerIds.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(SQL, [
    customerIds,
    added.map(({ contractId }) => contractId),
    added.map(({ idx }) => idx),
    added.map(({ slug }) => slug),
    added.map(({ units }) => units),
    added.map(({ at }) => stamp(at)),
  ]);
  return new Set(rows.map(({ id }) => id));
}
