import type pg from 'pg';
import type { Queryable } from './connect.ts';
import type { KeptPlans } from './prepared.ts';
import { useGeneralPlans } from './sql/transaction/general-plans.ts';
import { isStalePlan } from './sql-state.ts';

/**
 * Runs reads that belong together on one connection: what doesn't depend on one another goes out at once (`together`),
 * each statement is prepared and keeps one plan, whatever its parameters. So the statements must have few texts and
 * find their rows by keys.
 */
export async function readTogether<T>(pool: pg.Pool, plans: KeptPlans, work: (db: Queryable) => Promise<T>): Promise<T> {
  const began = plans.generation;
  try {
    return await readOnce(pool, plans, work);
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    plans.renew(began);
    return readOnce(pool, plans, work);
  }
}

async function readOnce<T>(pool: pg.Pool, plans: KeptPlans, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const end = (how: string): void => {
    client.query(how).then(
      () => client.release(),
      () => client.release(true),
    );
  };
  const db: Queryable = {
    sendsAtOnce: true,
    query: async <R extends object>(sql: string, params: readonly unknown[] = []) => {
      plans.keep(sql);
      return (await client.query<R>(sql, [...params])).rows;
    },
  };
  try {
    // both go out with the first statement, which fails if one of them does
    const begun = [client.query('begin'), useGeneralPlans(db)];
    for (const one of begun) one.catch(() => undefined);
    const result = await work(db);
    end('commit');
    return result;
  } catch (error) {
    end('rollback');
    throw error;
  }
}
