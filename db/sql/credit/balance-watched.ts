import type { Queryable } from '../../connect.ts';

/** A customer whose balance is watched. */
export interface BalanceWatched {
  id: string;
  vendorId: string;
  clockId: string | null;
}

/**
 * The customers among these with an alert on their balance. SQL, because every movement of credits asks for it, of many
 * customers at once.
 */
export const balanceWatched = (tx: Queryable, customerIds: readonly string[]): Promise<BalanceWatched[]> =>
  tx.query<BalanceWatched>(
    `select c.id, c.vendor_id as "vendorId", c.test_clock_id as "clockId" from customer c
     where c.id = any($1::text[]) and exists (select from usage_alert a where a.customer_id = c.id and a.watches = 'balance')`,
    [customerIds],
  );
