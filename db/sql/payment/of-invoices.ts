import type { Queryable } from '../../connect.ts';

export interface PaymentRow {
  invoiceId: string;
  at: number;
  amount: string;
  /** the method's id, the grant's id, `wallet` or `manual` */
  method: string;
  status: 'processing' | 'succeeded' | 'failed';
  reason: string | null;
  /** what the vendor gave with a payment recorded by hand, else the provider's own name of the charge */
  reference: string | null;
}

/** Ids hold their time behind the prefix: what was made within one instant stands in the order in which it was made. */
const SQL = `select "invoiceId", at, amount, method, status, reason, reference from (
    select id, invoice_id as "invoiceId", created as at, amount, coalesce(method_id, 'manual') as method, status, reason, reference
      from payment_attempt where invoice_id = any($1::text[])
    union all
    select id, invoice_id, at, -amount, 'wallet', 'succeeded', null, null from wallet_transaction
      where invoice_id = any($1::text[]) and kind = 'payment'
    union all
    select id, invoice_id, at, -amount, grant_id, 'succeeded', null, null from credit_movement
      where invoice_id = any($1::text[]) and kind = 'used'
  ) payment order by at, split_part(id, '_', 2)`;

/**
 * Each attempt to pay each of the invoices, oldest first: by prepaid credits, from the wallet, by a method, or recorded
 * by the vendor. What the wallet and the grants paid is what they lost. SQL, because three tables are read for every
 * invoice that is shown.
 */
export async function paymentsOfInvoices(db: Queryable, invoiceIds: readonly string[]): Promise<Map<string, PaymentRow[]>> {
  return Map.groupBy(await db.query<PaymentRow>(SQL, [invoiceIds]), ({ invoiceId }) => invoiceId);
}
