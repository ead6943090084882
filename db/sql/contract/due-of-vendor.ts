import type { Instant } from '../../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../agenda/contract-kinds.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A part of all customers, so that several lanes never bill the same contracts. */
export interface Lane {
  lane: number;
  lanes: number;
}

/**
 * SQL: the customer belongs to a lane. In a `case`, of which Postgres expects half of the rows: of an equation it
 * expects one in two hundred, and would read and sort all that are due to find enough for a batch.
 */
export const isInLane = (customer: string, lanes: string, lane: string): string =>
  `case when mod(hashtext(${customer}) & 2147483647, ${lanes}) = ${lane} then true else false end`;

/**
 * Contracts of a vendor on the wall clock that are due, the earliest first, by customer and contract. SQL: a scan of
 * the agenda's index of due rows, which a hash divides among the lanes of a bill run. It reads no more rows than a
 * batch has, however many are due: each batch would read all that are left otherwise.
 */
export async function dueOfVendor(tx: Queryable, vendorId: string, upTo: Instant, { lane, lanes }: Lane, limit: number): Promise<string[]> {
  const rows = await tx.query<{ contractId: string }>(
    `select distinct due.customer_id, due.contract_id as "contractId" from (
       select a.customer_id, a.contract_id from agenda a
       where a.test_clock_id is null and a.due_at <= $1 and a.kind = any($2::text[]) and not a.held and a.vendor_id = $3
         and ${isInLane('a.customer_id', '$4', '$5')}
       order by a.due_at, a.id limit $6
     ) due order by due.customer_id, due.contract_id`,
    [stamp(upTo), CONTRACT_KINDS, vendorId, lanes, lane, limit],
  );
  return rows.map(({ contractId }) => contractId);
}
