import type { Queryable } from '../../connect.ts';
import { Where } from '../list/where.ts';

/** Whose events a list shows. */
interface ListedOf {
  contract?: string | undefined;
  customer?: string | undefined;
  feature?: string | undefined;
}

/**
 * Reads how many events a vendor's list has of a contract or a customer, of all features or one. SQL: a sum over their
 * counters, a row for each period and feature, however many events there are.
 */
export async function listedTotal(db: Queryable, vendorId: string, { contract, customer, feature }: ListedOf): Promise<number> {
  const where = new Where()
    .and('c.vendor_id = ?', vendorId)
    .andGiven('c.id = ?', contract)
    .andGiven('c.customer_id = ?', customer)
    .andGiven('u.feature_slug = ?', feature);
  const [row] = await db.query<{ n: string }>(
    `select coalesce(sum(u.listed), 0) as n from contract c join usage_counter u on u.contract_id = c.id where ${where.sql}`,
    where.params,
  );
  return Number(row?.n ?? 0);
}
