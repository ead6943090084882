import type { Queryable } from './connect.ts';

/**
 * Sends the same statement with the same parameters once, for reads that belong together: many estimates ask about the
 * same plan.
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
