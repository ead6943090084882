import type { Instant } from '../../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../agenda/contract-kinds.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { besideKey } from '../beside-key.ts';
import { isInLane, type Lane } from './due-of-vendor.ts';

/**
 * Contracts of a test clock with something due at or before an instant, earliest first; ties by contract id. SQL: a
 * scan of the agenda's index of due rows, at every step of a clock, which a hash divides among the lanes of a herd. It
 * goes from one contract to the next in the order of that index, so that it reads no more than a batch, however many
 * are due and whatever Postgres knows of the rows: each batch would read all that are left otherwise.
 */
export async function dueOnClock(tx: Queryable, clockId: string, upTo: Instant, { lane, lanes }: Lane, limit: number): Promise<string[]> {
  const rows = await tx.query<{ contractId: string }>(
    `with recursive due as (
       select '-infinity'::timestamptz as due_at, '' as contract_id, 0 as place
       union all
       select next.due_at, next.contract_id, due.place + 1
       from due cross join lateral (
         select a.due_at, a.contract_id from agenda a
         where a.test_clock_id = $4 and a.due_at <= $1 and (a.due_at, a.contract_id) > (due.due_at, due.contract_id)
           and ${besideKey('a.kind = any($2::text[]) and not a.held')} and ${isInLane('a.customer_id', '$5', '$6')}
         order by a.due_at, a.contract_id limit 1
       ) next
       where due.place < $3
     )
     select contract_id as "contractId" from due where place > 0 group by contract_id order by min(place)`,
    [stamp(upTo), CONTRACT_KINDS, limit, clockId, lanes, lane],
  );
  return rows.map(({ contractId }) => contractId);
}
