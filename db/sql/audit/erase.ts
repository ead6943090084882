import type { Queryable } from '../../connect.ts';
import { withoutPersonal } from './personal.ts';

/**
 * Replaces what is personal in the audit log's entries about some objects: a customer, and all that belongs to it. It
 * is the only change that the table's trigger lets pass. SQL, because the trigger compares with the same expression.
 */
export async function eraseAudit(tx: Queryable, objects: readonly string[]): Promise<void> {
  await tx.query(`update audit set before = ${withoutPersonal('before')}, after = ${withoutPersonal('after')} where object_id = any($1)`, [
    objects,
  ]);
}
