import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { ReportedUsage } from '../../usage/event.ts';
import { insertRows } from '../rows.ts';

/** Where an event belongs: a period of a contract, at an instant. */
export interface PlacedUsage {
  contractId: string;
  idx: number;
  at: number;
  arrivedAt: number;
  /** its period is closed */
  corrected: boolean;
}

/**
 * Inserts one event that was decided on its own. SQL, because the insert itself says whether its idempotency key was
 * used before.
 *
 * @returns false when it was
 */
export async function insertEvent(tx: Queryable, entry: ReportedUsage, placed: PlacedUsage): Promise<boolean> {
  const row = {
    id: entry.id,
    vendor_id: entry.vendorId,
    customer_id: entry.customerId,
    contract_id: placed.contractId,
    period_idx: placed.idx,
    feature_slug: entry.slug,
    units: entry.units,
    is_absolute: entry.isAbsolute,
    timestamp: stamp(placed.at),
    arrived_at: stamp(placed.arrivedAt),
    metadata: entry.metadata,
    idempotency_key: entry.idempotencyKey,
    allow_correction: entry.allowCorrection,
    corrected: placed.corrected,
  };
  const rows = await insertRows(tx, 'usage_event', [row], 'on conflict (vendor_id, idempotency_key) do nothing returning id');
  return rows.length > 0;
}
