import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { WindowKey } from './window-units.ts';

/** Units that are added to a kept window. */
export type WindowUnits = WindowKey & { units: string };

/**
 * Adds units to windows that are kept. The caller has locked their customers. SQL: many rows are added to by one
 * statement, each key once.
 */
export async function addToWindows(tx: Queryable, added: readonly WindowUnits[]): Promise<void> {
  if (added.length === 0) return;
  await tx.query(
    `update usage_window w set units = w.units + k.units
     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::numeric[]) as k(customer_id, slug, time_window, began, units)
     where w.customer_id = k.customer_id and w.feature_slug = k.slug and w.time_window = k.time_window and w.began = k.began`,
    [
      added.map(({ customerId }) => customerId),
      added.map(({ slug }) => slug),
      added.map(({ window }) => window),
      added.map(({ from }) => stamp(from)),
      added.map(({ units }) => units),
    ],
  );
}
