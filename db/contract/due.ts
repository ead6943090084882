import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../agenda/contract-rows.ts';
import type { Queryable } from '../connect.ts';
import { stamp } from '../rows.ts';

const DUE = 'a.due_at <= $1 and a.kind = any($2::text[]) and not a.held';

/** Contracts of a test clock with something due at or before an instant, earliest first; ties by contract id. */
export async function dueOnClock(tx: Queryable, clockId: string, upTo: Instant, limit: number): Promise<string[]> {
  const rows = await tx.query<{ contract_id: string }>(
    `select a.contract_id from agenda a where a.test_clock_id = $4 and ${DUE}
     group by a.contract_id order by min(a.due_at), a.contract_id limit $3`,
    [stamp(upTo), CONTRACT_KINDS, limit, clockId],
  );
  return rows.map((row) => row.contract_id);
}

/** Contracts of a chain with something due at or before an instant, in the order of their ids. */
export async function dueInChain(tx: Queryable, chainId: string, upTo: Instant): Promise<string[]> {
  const rows = await tx.query<{ contract_id: string }>(
    `select distinct a.contract_id from agenda a where a.workflow_id = $3 and ${DUE} order by a.contract_id`,
    [stamp(upTo), CONTRACT_KINDS, chainId],
  );
  return rows.map((row) => row.contract_id);
}

/**
 * The vendor that comes next, after another in the order of their ids, with contracts of the wall clock due; null when
 * none comes after it.
 */
export async function nextDueVendor(tx: Queryable, upTo: Instant, { lane, lanes }: Lane, after: string | null): Promise<string | null> {
  const [row] = await tx.query<{ vendor_id: string | null }>(
    `select min(a.vendor_id) as vendor_id from agenda a
     where a.test_clock_id is null and ${DUE} and a.vendor_id > coalesce($3, '') and mod(hashtext(a.customer_id) & 2147483647, $4) = $5`,
    [stamp(upTo), CONTRACT_KINDS, after, lanes, lane],
  );
  return row?.vendor_id ?? null;
}

/** A part of all customers, so that several lanes never reach for the same contracts. */
export interface Lane {
  lane: number;
  lanes: number;
}

/** Contracts of a vendor on the wall clock that are due, by customer and contract. */
export async function dueOfVendor(tx: Queryable, vendorId: string, upTo: Instant, { lane, lanes }: Lane, limit: number): Promise<string[]> {
  const rows = await tx.query<{ contract_id: string }>(
    `select a.customer_id, a.contract_id from agenda a
     where a.test_clock_id is null and ${DUE} and a.vendor_id = $3 and mod(hashtext(a.customer_id) & 2147483647, $4) = $5
     group by a.customer_id, a.contract_id order by a.customer_id, a.contract_id limit $6`,
    [stamp(upTo), CONTRACT_KINDS, vendorId, lanes, lane, limit],
  );
  return rows.map((row) => row.contract_id);
}
