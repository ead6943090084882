import pg from 'pg';
import type { DatabaseLimits } from './pool.ts';
import { LIMITS_OF_TRANSACTION } from './sql/transaction/limits.ts';

type WithStartup = { getStartupConf(): Record<string, string> };

/**
 * A connection to a pooler in transaction mode. It names the time zone and the date style as parameters of their own,
 * which a pooler sets again on each connection that it hands out; it refuses or drops other settings of a session.
 */
export class TrackedClient extends pg.Client {
  getStartupConf(): Record<string, string> {
    const usual = (pg.Client.prototype as unknown as WithStartup).getStartupConf.call(this);
    // in the words in which Postgres reports them, or a pooler would set them before every transaction
    return { ...usual, TimeZone: 'UTC', DateStyle: 'ISO, MDY' };
  }
}

type Ask = (...args: unknown[]) => unknown;

/** Limits that a session would have are set right behind each BEGIN, without another round trip. */
export function limitTransactions(client: pg.PoolClient, { lock, statement }: DatabaseLimits): void {
  const ask = client.query.bind(client) as Ask;
  const query: Ask = (...args) => {
    const answer = ask(...args);
    if (args[0] !== 'begin') return answer;
    const limited = ask(LIMITS_OF_TRANSACTION, [String(lock), String(statement)]);
    return Promise.all([answer, limited]).then(([begun]) => begun);
  };
  Object.assign(client, { query });
}
