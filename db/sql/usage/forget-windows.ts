import type { Queryable } from '../../connect.ts';

/**
 * Forgets what is kept of a feature's days and hours: a marker or a correction may have changed any of them. SQL: one
 * delete by a part of the key.
 */
export async function forgetWindows(tx: Queryable, customerId: string, slug: string): Promise<void> {
  await tx.query('delete from usage_window where customer_id = $1 and feature_slug = $2', [customerId, slug]);
}
