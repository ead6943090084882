import pg from 'pg';

/** Counts what this process asks of Postgres. */
export interface StatementCount {
  /** Statements that were sent, and rows that came back, while something ran. */
  during(work: () => Promise<unknown>): Promise<{ statements: number; rows: number }>;
  restore(): void;
}

/** To be called before the first connection is made, which binds what it calls. */
export function countStatements(): StatementCount {
  const count = { statements: 0, rows: 0 };
  const original = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const noted = <R extends { rows?: unknown[] } | undefined>(result: R): R => {
    count.rows += result?.rows?.length ?? 0;
    return result;
  };
  function counting(this: pg.Client, ...given: unknown[]): unknown {
    count.statements += 1;
    const done = given.at(-1);
    if (typeof done === 'function') given[given.length - 1] = (error: unknown, result: { rows: unknown[] }) => done(error, noted(result));
    const sent = original.apply(this, given);
    return sent instanceof Promise ? sent.then(noted) : sent;
  }
  pg.Client.prototype.query = counting as typeof pg.Client.prototype.query;
  return {
    during: async (work) => {
      Object.assign(count, { statements: 0, rows: 0 });
      await work();
      return { ...count };
    },
    restore: () => {
      pg.Client.prototype.query = original as typeof pg.Client.prototype.query;
    },
  };
}
