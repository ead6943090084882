import type { Queryable } from '../../connect.ts';

/**
 * How long this transaction waits for a lock at most, in milliseconds. SQL, because it is a setting of the transaction.
 */
export async function limitLocks(tx: Queryable, milliseconds: number): Promise<void> {
  await tx.query(`select set_config('lock_timeout', $1, true)`, [String(milliseconds)]);
}
