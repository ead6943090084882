import type { Queryable } from '../../connect.ts';

/** Open invoices that are looked through: a page looks for what is new. */
const LOOKED_THROUGH = 1_000;

const SQL = `
  select id from (
    select id, date, deposit_transaction_status, test_clock_id from invoice
    where vendor_id = $1 and status = 'ready_for_payment' order by date desc, id desc limit ${LOOKED_THROUGH}
  ) open
  where deposit_transaction_status = 'failed' and coalesce(test_clock_id, '') = $2
  order by date desc, id desc limit $3`;

/**
 * The newest open invoices of a vendor whose last payment failed, newest first, among its newest thousand open ones.
 * SQL, because an index that tells them apart would have to be written with every payment that begins.
 */
export async function newestFailed(db: Queryable, vendorId: string, clockId: string, most: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(SQL, [vendorId, clockId, most]);
  return rows.map(({ id }) => id);
}
