import type pg from 'pg';

type Ask = (...args: unknown[]) => unknown;

/** Reports how many milliseconds each statement of a connection takes, from sending it to its answer or its failure. */
export function timeStatements(client: pg.PoolClient, report: (milliseconds: number) => void): void {
  const ask = client.query.bind(client) as Ask;
  const query: Ask = (...args) => {
    const began = performance.now();
    const end = (): void => report(performance.now() - began);
    const last = args.at(-1);
    if (typeof last === 'function') {
      const answered = (...results: unknown[]): unknown => {
        end();
        return last(...results);
      };
      return ask(...args.slice(0, -1), answered);
    }
    const answer = ask(...args);
    if (answer instanceof Promise) answer.then(end, end);
    return answer;
  };
  Object.assign(client, { query });
}
