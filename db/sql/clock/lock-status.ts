import type { Queryable } from '../../connect.ts';

/**
 * The status of a test clock, locked so that the clock doesn't begin to move until the transaction ends. SQL, because
 * it is part of every sale to a customer on a clock.
 */
export async function lockClockStatus(tx: Queryable, clockId: string): Promise<string | null> {
  const [clock] = await tx.query<{ status: string }>('select status from test_clock where id = $1 for key share', [clockId]);
  return clock?.status ?? null;
}
