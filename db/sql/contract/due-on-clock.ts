import type { Instant } from '../../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../agenda/contract-kinds.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { isInLane, type Lane } from './due-of-vendor.ts';

/**
 * Contracts of a test clock with something due at or before an instant, earliest first; ties by contract id. SQL: a
 * scan of the agenda's index of due rows, at every step of a clock, which a hash divides among the lanes of a herd.
 */
export async function dueOnClock(tx: Queryable, clockId: string, upTo: Instant, { lane, lanes }: Lane, limit: number): Promise<string[]> {
  const rows = await tx.query<{ contractId: string }>(
    `select a.contract_id as "contractId" from agenda a
     where a.test_clock_id = $4 and a.due_at <= $1 and a.kind = any($2::text[]) and not a.held
       and ${isInLane('a.customer_id', '$5', '$6')}
     group by a.contract_id order by min(a.due_at), a.contract_id limit $3`,
    [stamp(upTo), CONTRACT_KINDS, limit, clockId, lanes, lane],
  );
  return rows.map(({ contractId }) => contractId);
}
