import type { Queryable } from '../../connect.ts';
import { UsageKey } from '../../entities/usage.ts';
import { stamp } from '../../rows.ts';
import type { ReportedUsage } from '../../usage/event.ts';
import { insertRows } from '../rows.ts';
import { insertNew } from '../write-many.ts';

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
 * Inserts one event that was decided on its own. SQL, because the insert of its idempotency key says itself whether
 * that was used before.
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
    allow_correction: entry.allowCorrection,
    corrected: placed.corrected,
  };
  if (entry.idempotencyKey !== null) {
    const key = { vendorId: entry.vendorId, key: entry.idempotencyKey, eventId: entry.id };
    if ((await insertNew(tx, UsageKey, [key])) === 0) return false;
  }
  await insertRows(tx, 'usage_event', [row]);
  return true;
}
