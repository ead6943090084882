import type { Instant } from '../../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../agenda/contract-kinds.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { isInLane, type Lane } from './due-of-vendor.ts';

/**
 * The vendor that comes next, after another in the order of their ids, with contracts of the wall clock due; null when
 * none comes after it. SQL: a scan of the agenda's index of due rows, before every batch of a bill run.
 */
export async function nextDueVendor(tx: Queryable, upTo: Instant, { lane, lanes }: Lane, after: string | null): Promise<string | null> {
  const [row] = await tx.query<{ vendorId: string | null }>(
    `select min(a.vendor_id) as "vendorId" from agenda a
     where a.test_clock_id is null and a.due_at <= $1 and a.kind = any($2::text[]) and not a.held and a.vendor_id > coalesce($3, '')
       and ${isInLane('a.customer_id', '$4', '$5')}`,
    [stamp(upTo), CONTRACT_KINDS, after, lanes, lane],
  );
  return row?.vendorId ?? null;
}
