import type { Queryable } from '../../connect.ts';
import { DEFAULT_METHOD } from './candidate.ts';

/**
 * Those of some customers who have a default method that can be charged. SQL, because a bill run asks it for a batch.
 */
export async function payingAutomatically(tx: Queryable, customerIds: readonly string[]): Promise<Set<string>> {
  if (customerIds.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `select c.id from customer c join payment_method m on ${DEFAULT_METHOD} where c.id = any($1::text[])`,
    [[...new Set(customerIds)]],
  );
  return new Set(rows.map(({ id }) => id));
}
