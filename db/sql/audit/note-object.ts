import type { Queryable } from '../../connect.ts';

/**
 * Has triggers keep what this transaction changes in the row of an object. A read before the change could be older than
 * the row that it meets. SQL, because it is a setting of the transaction.
 */
export async function noteAuditedObject(tx: Queryable, objectId: string): Promise<void> {
  await tx.query(`select set_config('perennial.audited', $1, true)`, [objectId]);
}
