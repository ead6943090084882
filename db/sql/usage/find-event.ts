import type { Queryable } from '../../connect.ts';

/** A usage event that was recorded before. */
export interface KnownEvent {
  id: string;
  /** null: its month has been put away, and only its key is known */
  customer_id: string | null;
  feature_slug: string;
  units: string;
  is_absolute: boolean;
  timestamp: number;
  metadata: Record<string, unknown>;
  /** units as reported, when it was amended since */
  original: string | null;
}

/**
 * The event recorded under an idempotency key. SQL, because it is part of every usage event that is decided one by one,
 * and reads the first entry of the event's history with it.
 */
export async function findEvent(tx: Queryable, vendorId: string, idempotencyKey: string): Promise<KnownEvent | null> {
  const [row] = await tx.query<KnownEvent>(
    `select k.event_id as id, e.customer_id, e.feature_slug, e.units, e.is_absolute, e.timestamp, e.metadata,
       (select h.units_before from usage_event_history h where h.event_id = k.event_id order by h.id limit 1) as original
     from usage_key k left join usage_event e on e.id = k.event_id where k.vendor_id = $1 and k.key = $2`,
    [vendorId, idempotencyKey],
  );
  return row ?? null;
}
