import type { Queryable } from '../../connect.ts';
import type { ReportedUsage } from '../../usage/event.ts';

const SQL = `select k.vendor_id as "vendorId", k.key from unnest($1::text[], $2::text[]) as e(vendor_id, key)
  join usage_key k on k.vendor_id = e.vendor_id and k.key = e.key`;

/** Names an idempotency key among those of all vendors. */
export const keyName = ({ vendorId, key }: { vendorId: string; key: string }): string => `${vendorId} ${key}`;

/** Idempotency keys of events that were used before. SQL, because it asks for pairs of columns, many at once. */
export async function knownKeys(tx: Queryable, entries: readonly ReportedUsage[]): Promise<Set<string>> {
  const keyed = entries.filter(({ idempotencyKey }) => idempotencyKey !== null);
  if (keyed.length === 0) return new Set();
  const params = [keyed.map(({ vendorId }) => vendorId), keyed.map(({ idempotencyKey }) => idempotencyKey)];
  const rows = await tx.query<{ vendorId: string; key: string }>(SQL, params);
  return new Set(rows.map(keyName));
}
