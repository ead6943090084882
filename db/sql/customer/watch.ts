import type { Queryable } from '../../connect.ts';

const SQL = `
  update customer set watched = true where id in (
    select id from customer where id = any($1::text[]) and not watched order by id for no key update)`;

/**
 * Marks customers as watched. SQL: it is part of signings, locks the customers in one order, and skips those that are
 * marked already.
 */
export async function watchCustomers(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query(SQL, [customerIds]);
}
