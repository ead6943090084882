import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp, stampOrNull } from '../../rows.ts';
import { isContractOpen } from '../contract/is-open.ts';
import { closesByItself } from '../contract/open-periods.ts';
import { MONEY_STATE } from './money-state.ts';
import type { CounterKey } from './part.ts';

/** SQL: names a counter `u` in `rooms`. */
export const ROOM_KEY = `u.contract_id || ' ' || u.period_idx || ' ' || u.feature_slug`;

/** What is known about usage that a customer may still report. */
export interface KeptRoom {
  customerId: string;
  /** the name of its state that was read before everything that the rooms were worked out from */
  state: string;
  /** the time on its clock */
  now: Instant;
  /** it holds for usage dated then or later; null: for all */
  since: Instant | null;
  /** units that can still come; null: any number */
  rooms: readonly (CounterKey & { units: string | null })[];
}

/** SQL: when a grant's life begins or ends next, or a period that was made ahead of time begins. */
const NEXT = `least(
    (select min(b.at) from credit_grant g cross join lateral (values (g.effective_at), (g.expires_at)) as b(at)
     where g.customer_id = c.id and b.at > $2::timestamptz),
    (select min(p.usage_from) from contract t join usage_period p on p.contract_id = t.id and ${closesByItself('p')}
     where t.customer_id = c.id and ${isContractOpen('t')} and p.usage_from > $2::timestamptz))`;

const SQL = `
  insert into usage_room (customer_id, state, since, until, rooms)
  select c.id, $8, $3::timestamptz, ${NEXT}, (
    select coalesce(jsonb_object_agg(${ROOM_KEY}, (u.units + coalesce(k.units, 'Infinity'))::text), '{}')
    from unnest($4::text[], $5::int[], $6::text[], $7::numeric[]) as k(contract_id, idx, slug, units)
    join usage_counter u on u.contract_id = k.contract_id and u.period_idx = k.idx and u.feature_slug = k.slug
  )
  from customer c where c.id = $1
  on conflict (customer_id) do update set state = excluded.state, since = excluded.since, until = excluded.until, rooms = excluded.rooms`;

/**
 * Names the state of a customer's open usage and live credits. It is read before rooms are computed, so that a change
 * in between makes them outdated. SQL, because the state is named by versions of rows.
 */
export async function moneyState(tx: Queryable, customerId: string): Promise<string> {
  const [row] = await tx.query<{ state: string }>(`select ${MONEY_STATE} as state from customer c where c.id = $1`, [customerId]);
  if (row === undefined) throw new Error(`the customer ${customerId} does not exist`);
  return row.state;
}

/**
 * Stores the counts up to which a customer's usage surely reaches no limit, alert or top-up about money, and the state
 * of the customer for which that holds. The caller has locked the customer against other changes of its usage, and
 * written everything else. SQL, because counts are added to in the database.
 */
export async function keepRoom(tx: Queryable, { customerId, state, now, since, rooms }: KeptRoom): Promise<void> {
  await tx.query(SQL, [
    customerId,
    stamp(now),
    stampOrNull(since),
    rooms.map(({ contractId }) => contractId),
    rooms.map(({ idx }) => idx),
    rooms.map(({ slug }) => slug),
    rooms.map(({ units }) => units),
    state,
  ]);
}
