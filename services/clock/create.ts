import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { insertRows, stamp } from '../../db/rows.ts';

/** A vendor's own time line, standing at `now`. */
export async function createClock(tx: Queryable, clock: { vendorId: string; name: string | null; now: Instant }): Promise<string> {
  const id = newId('Clock');
  const row = {
    id,
    vendor_id: clock.vendorId,
    name: clock.name,
    created: stamp(Date.now()),
    now: stamp(clock.now),
    status: 'ready',
    used: false,
  };
  await insertRows(tx, 'test_clock', [row]);
  return id;
}
