import type { Socket } from 'node:net';
import type { PostgresPool } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import { limitTransactions, TrackedClient } from './behind-pooler.ts';
import { TooManyTransactions } from './lockers.ts';
import { timeToStart } from './start-limit.ts';

/** How long a process waits for Postgres, in milliseconds. */
export interface DatabaseLimits {
  /** for a connection, or for a place among the transactions */
  connect: number;
  /** for a lock, unless the transaction sets less */
  lock: number;
  /** for a statement, set on the server; the client gives up half a second later and drops the connection */
  statement: number;
}

type PoolConfig = Pick<Config, 'databaseUrl' | 'databasePool'> & Partial<Pick<Config, 'preparedStatements'>>;

const SESSION = { options: '-c TimeZone=UTC -c DateStyle=ISO' };
const TIMESTAMPTZ = 1184;
const GIVE_UP_LATER = 500;

export function openPool(config: PoolConfig, limits: DatabaseLimits): pg.Pool {
  const isPooled = (config.preparedStatements ?? 'on') !== 'on';
  const types = new pg.TypeOverrides();
  types.setTypeParser(TIMESTAMPTZ, (text) => parseInstant(text));
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: config.databasePool,
    application_name: 'perennial',
    connectionTimeoutMillis: limits.connect,
    ...(isPooled ? { Client: TrackedClient } : { ...SESSION, lock_timeout: limits.lock, statement_timeout: limits.statement }),
    query_timeout: limits.statement + GIVE_UP_LATER,
    // what a transaction sends at once goes out at once (`together.ts`)
    pipeline: true,
    types,
  });
  pool.on('connect', writeOncePerTurn);
  pool.on('connect', giveUpWithTheConnection);
  if (isPooled) pool.on('connect', (client) => limitTransactions(client, limits));
  // A connection the server drops reports here as well as to the query in flight; without a listener it would end the
  // process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * The pool as the query builder sees it. It keeps a connection whose transaction it can't roll back because the
 * connection is broken; here its place in the pool is freed when it breaks.
 */
export const transactionPool = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  connect: async () => freedWhenBroken(await connectionInTime(pool)),
  end: () => pool.end(),
});

/** A connection that comes too late goes back to the pool. */
async function connectionInTime(pool: pg.Pool): Promise<pg.PoolClient> {
  const limit = pool.options.connectionTimeoutMillis ?? 0;
  const left = timeToStart(limit);
  const connecting = pool.connect();
  if (left >= limit) return connecting;
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    );
    reject(new TooManyTransactions());
  }, left);
  return Promise.race([connecting, late]).finally(() => clearTimeout(timer));
}

function freedWhenBroken(client: pg.PoolClient): pg.PoolClient {
  const { release } = client;
  let isFree = false;
  const free = (broken?: Error | boolean): void => {
    client.removeListener('end', whenEnded);
    if (isFree) return;
    isFree = true;
    release(broken);
  };
  const whenEnded = () => free(true);
  client.once('end', whenEnded);
  // the pool sets it again each time it lends the connection
  client.release = free;
  return client;
}

/** "2025-01-31 00:00:00.123+00", as Postgres writes it in UTC. */
function parseInstant(text: string): number {
  return Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
}

/**
 * A statement that nobody answered in time leaves its connection stuck, and what comes next on it, a rollback first of
 * all, would wait as long again.
 */
function giveUpWithTheConnection(client: pg.PoolClient): void {
  const ask = client.query.bind(client) as (...args: unknown[]) => unknown;
  const query = (...args: unknown[]): unknown => {
    const answer = ask(...args);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') streamOf(client)?.destroy();
      });
    }
    return answer;
  };
  Object.assign(client, { query });
}

/**
 * What a connection is asked in one turn of the event loop is written to its socket once: a write costs as much as a
 * small statement.
 */
function writeOncePerTurn(client: pg.PoolClient): void {
  const ask = client.query.bind(client) as (...args: unknown[]) => unknown;
  let isWaiting = false;
  const query = (...args: unknown[]): unknown => {
    const stream = streamOf(client);
    if (!isWaiting && stream !== undefined) {
      isWaiting = true;
      stream.cork();
      process.nextTick(() => {
        isWaiting = false;
        stream.uncork();
      });
    }
    return ask(...args);
  };
  Object.assign(client, { query });
}

const streamOf = (client: pg.PoolClient) => (client as unknown as { connection?: { stream?: Socket } }).connection?.stream;
