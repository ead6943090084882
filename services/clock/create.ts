import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { TestClock } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';

/** A new test clock of a vendor, set to `now`. */
export async function createClock({ em }: Tx, clock: { vendorId: string; name: string | null; now: Instant }): Promise<string> {
  const { id } = em.create(TestClock, { ...clock, id: newId('Clock'), created: Date.now() });
  await em.flush();
  return id;
}
