import type { Queryable } from '../connect.ts';

/** Asks Postgres for nothing; throws where it can't be reached. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1');
}
