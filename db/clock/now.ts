import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../connect.ts';

export interface ClockState {
  id: string;
  vendorId: string;
  now: Instant;
  target: Instant | null;
  status: 'ready' | 'advancing' | 'failed';
  reason: string | null;
}

/** The time a customer or contract lives at: its test clock's, or Postgres's own, one for all processes. */
export async function nowOf(tx: Queryable, clockId: string | null): Promise<Instant> {
  const [row] =
    clockId === null
      ? await tx.query<{ now: Instant }>('select clock_timestamp() as now')
      : await tx.query<{ now: Instant }>('select now from test_clock where id = $1', [clockId]);
  if (row === undefined) throw new Error(`the test clock ${clockId} does not exist`);
  return Math.floor(row.now);
}

export async function readClock(tx: Queryable, clockId: string, { lock = false } = {}): Promise<ClockState | null> {
  const [row] = await tx.query<ClockState>(
    `select id, vendor_id as "vendorId", now, target, status, reason from test_clock where id = $1${lock ? ' for update' : ''}`,
    [clockId],
  );
  return row ?? null;
}
