import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../connect.ts';
import { TestClock, type TestClockRecord } from '../entities/vendor.ts';

export type ClockState = Pick<TestClockRecord, 'id' | 'vendorId' | 'now' | 'target' | 'status' | 'reason'>;

/** The time a customer or contract lives at: its test clock's, or Postgres's own, one for all processes. */
export async function nowOf(tx: Queryable, clockId: string | null): Promise<Instant> {
  const [row] =
    clockId === null
      ? await tx.query<{ now: Instant }>('select clock_timestamp() as now')
      : await tx.query<{ now: Instant }>('select now from test_clock where id = $1', [clockId]);
  if (row === undefined) throw new Error(`the test clock ${clockId} does not exist`);
  return Math.floor(row.now);
}

export const readClock = (em: EntityManager, id: string): Promise<ClockState | null> => em.findOne(TestClock, { id });
