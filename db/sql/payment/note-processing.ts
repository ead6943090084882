import type { Queryable } from '../../connect.ts';

/** Notes that invoices are being paid. SQL, because a bill run opens the payments of a batch in one statement. */
export async function noteProcessing(tx: Queryable, invoiceIds: readonly string[]): Promise<void> {
  await tx.query(`update invoice set deposit_transaction_status = 'processing' where id = any($1::text[])`, [invoiceIds]);
}
