import type { Queryable } from '../../connect.ts';

const SQL = `
  update customer set watched = true where id in (
    select id from customer where id = any($1::text[]) and not watched order by id for no key update)`;

/**
 * Marks customers whose usage is looked at as it comes. SQL: part of signings; it locks them in one order, and leaves
 * alone who is marked already.
 */
export async function watchCustomers(tx: Queryable, customerIds: readonly string[]): Promise<void> {
  await tx.query(SQL, [customerIds]);
}
