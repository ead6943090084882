import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { ReportedUsage } from '../../usage/event.ts';
import { WRITE_PLACED } from './insert-plain.ts';
import type { PlacedEvent } from './place-watched.ts';

const SQL = `with placed as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::jsonb[], $7::text[], $8::text[], $9::int[],
      $10::timestamptz[], $11::timestamptz[])
      as p(id, vendor_id, customer_id, slug, units, metadata, key, contract_id, idx, at, arrived_at)
  ), ${WRITE_PLACED}`;

/**
 * Inserts and counts events whose place is known and locked. SQL: one statement for all that fit under their limits.
 *
 * @returns ids of those that are written: all, but for keys that were used before
 */
export async function insertPlaced(tx: Queryable, events: readonly (ReportedUsage & PlacedEvent)[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(SQL, [
    events.map(({ id }) => id),
    events.map(({ vendorId }) => vendorId),
    events.map(({ customerId }) => customerId),
    events.map(({ slug }) => slug),
    events.map(({ units }) => units),
    events.map(({ metadata }) => JSON.stringify(metadata)),
    events.map(({ idempotencyKey }) => idempotencyKey),
    events.map(({ contractId }) => contractId),
    events.map(({ idx }) => idx),
    events.map(({ at }) => stamp(at)),
    events.map(({ arrivedAt }) => stamp(arrivedAt)),
  ]);
  return rows.map(({ id }) => id);
}
