import type { Queryable } from '../../connect.ts';
import type { LockedRow } from './lock.ts';

const SQL = `select id, vendor_id as "vendorId", status, test_clock_id as "clockId", configuration from customer
  where id = any($1::text[]) and vendor_id = $2 and status <> 'inactive'
  order by id for key share skip locked`;

/**
 * Locks customers that are neither frozen nor locked by another transaction; the others are left out, and nobody waits
 * for them. SQL, because requests that arrive together lock their customers in one statement.
 */
export const lockFreeCustomers = (tx: Queryable, vendorId: string, ids: readonly string[]): Promise<LockedRow[]> =>
  tx.query<LockedRow>(SQL, [ids, vendorId]);
