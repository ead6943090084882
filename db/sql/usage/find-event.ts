import type { Queryable } from '../../connect.ts';

/** A usage event that was recorded before. */
export interface KnownEvent {
  id: string;
  customer_id: string;
  feature_slug: string;
  units: string;
  is_absolute: boolean;
  timestamp: number;
  /** units as reported, when it was amended since */
  original: string | null;
}

/**
 * The event recorded under an idempotency key. SQL, because it is part of every usage event that is decided one by one,
 * and reads the first entry of the event's history with it.
 */
export async function findEvent(tx: Queryable, vendorId: string, idempotencyKey: string): Promise<KnownEvent | null> {
  const [row] = await tx.query<KnownEvent>(
    `select e.id, e.customer_id, e.feature_slug, e.units, e.is_absolute, e.timestamp,
       (select h.units_before from usage_event_history h where h.event_id = e.id order by h.id limit 1) as original
     from usage_event e where e.vendor_id = $1 and e.idempotency_key = $2`,
    [vendorId, idempotencyKey],
  );
  return row ?? null;
}
