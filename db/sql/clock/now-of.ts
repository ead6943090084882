import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';

/**
 * The time of a customer or contract: its test clock's, or Postgres's own, one for all processes. SQL, because
 * every write asks for it, and only Postgres can say its own time.
 */
export async function nowOf(tx: Queryable, clockId: string | null): Promise<Instant> {
  const [row] =
    clockId === null
      ? await tx.query<{ now: Instant }>('select clock_timestamp() as now')
      : await tx.query<{ now: Instant }>('select now from test_clock where id = $1', [clockId]);
  if (row === undefined) throw new Error(`the test clock ${clockId} does not exist`);
  return Math.floor(row.now);
}
