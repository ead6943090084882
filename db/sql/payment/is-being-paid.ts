import type { Queryable } from '../../connect.ts';

/**
 * Whether a payment of an invoice is under way; the caller has locked it. SQL, because every payment on request asks
 * it.
 */
export async function isBeingPaid(tx: Queryable, invoiceId: string): Promise<boolean> {
  const rows = await tx.query(`select 1 from payment_attempt where invoice_id = $1 and status = 'processing'`, [invoiceId]);
  return rows.length > 0;
}
