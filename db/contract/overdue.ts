import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../agenda/contract-rows.ts';
import type { Queryable } from '../connect.ts';
import { stamp } from '../rows.ts';

const LATE = 60_000;
const AT_ONCE = 200;

/** Some of what is overdue. */
interface Overdue {
  ids: string[];
  /** where the next look goes on; null: these were the last */
  last: string | null;
}

/**
 * Contracts on the wall clock that should have been advanced a minute ago; parked ones apart.
 * Some at a time, each look beginning behind the one before, so that those which nothing helps keep no other waiting.
 *
 * @param after `last` of the look before, null to begin anew
 */
export async function overdueContracts(tx: Queryable, now: Instant, after: string | null): Promise<Overdue> {
  const rows = await tx.query<{ id: string }>(
    `select c.id from contract c
     where c.test_clock_id is null and c.parked_reason is null and ($3::text is null or c.id > $3)
       and exists (select 1 from agenda a where a.contract_id = c.id and a.due_at < $1 and a.kind = any($2::text[]))
     order by c.id limit ${AT_ONCE}`,
    [stamp(now - LATE), CONTRACT_KINDS, after],
  );
  const ids = rows.map((row) => row.id);
  return { ids, last: ids.length < AT_ONCE ? null : (ids.at(-1) ?? null) };
}
