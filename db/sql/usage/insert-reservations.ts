import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { insertRows } from '../rows.ts';

/** Units that are to be kept. */
export interface NewReservation {
  id: string;
  customerId: string;
  slug: string;
  units: string;
  at: Instant;
  expiresAt: Instant;
}

/** Writes reservations. SQL, because those of many checks are one statement. */
export async function insertReservations(tx: Queryable, made: readonly NewReservation[], wallClock: Instant): Promise<void> {
  const rows = made.map(({ id, customerId, slug, units, at, expiresAt }) => ({
    ...{ id, customer_id: customerId, feature_slug: slug, units, status: 'open' },
    ...{ reserved_at: stamp(at), expires_at: stamp(expiresAt), made_at: stamp(wallClock) },
  }));
  await insertRows(tx, 'usage_reservation', rows);
}
