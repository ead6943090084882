import type { Queryable } from './connect.ts';

/**
 * Sends a statement with the same parameters only once, for reads that belong together: many estimates read the same
 * plan.
 */
export function readingOnce(db: Queryable): Queryable {
  const sent = new Map<string, Promise<object[]>>();
  return {
    query: <R extends object>(sql: string, params: readonly unknown[] = []): Promise<R[]> => {
      const key = JSON.stringify([sql, params]);
      const rows = sent.get(key) ?? db.query(sql, params);
      sent.set(key, rows);
      return rows as Promise<R[]>;
    },
  };
}
