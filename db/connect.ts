import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Tracing } from '../config/tracing.ts';
import { entities } from './entities/index.ts';
import { migrations } from './migrations/index.ts';
import { KeptPlans, nameOf } from './prepared.ts';
import { traceConnection, traced } from './statement.ts';

export type Row = Record<string, unknown>;

/** SQL with `$1` placeholders. `numeric` and `bigint` come as text, `timestamptz` as epoch milliseconds, `jsonb` parsed. */
export interface Queryable {
  query<R extends object = Row>(sql: string, params?: readonly unknown[]): Promise<R[]>;
}

/** One open transaction: `em` and `query` write into the same one. */
export interface Tx extends Queryable {
  em: EntityManager;
}

export interface Database extends Queryable {
  orm: MikroORM;
  pool: pg.Pool;
  /** A fresh entity manager, one per request or job. */
  em(): EntityManager;
  /** Commits when `work` returns, rolls back when it throws. Runs again after a deadlock or a lost race for a row. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for work done over and over: prepares every statement it asks for, whose texts must therefore be few. */
  preparingTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A statement prepared once per connection, for the hot reads and writes. */
  prepared<R extends object = Row>(name: string, sql: string, params: readonly unknown[]): Promise<R[]>;
  /** The same for code that also runs in transactions: prepares every statement it is given, whose texts must therefore be few. */
  readonly preparing: Queryable;
  close(): Promise<void>;
}

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databasePool'>;

const TIMESTAMPTZ = 1184;
/** serialization_failure, deadlock_detected */
const RUN_AGAIN = new Set(['40001', '40P01']);
const TRIES = 4;
const FEATURE_NOT_SUPPORTED = '0A000';
/** Where in Postgres a plan is found to give other columns than it was prepared with; the message comes in the server's language. */
const STALE_PLAN_ROUTINE = 'RevalidateCachedQuery';

export async function connect(config: DatabaseConfig, tracing: Tracing | null = null): Promise<Database> {
  const pool = openPool(config);
  const plans = new KeptPlans();
  pool.on('connect', (client) => plans.install(client));
  if (tracing !== null) pool.on('connect', (client) => traceConnection(tracing, client));
  const orm = await MikroORM.init({
    driverOptions: new PostgresDialect({ pool }),
    clientUrl: config.databaseUrl,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'migration', disableForeignKeys: false },
    // triggers are written by hand in the migrations
    schemaGenerator: { disableForeignKeys: false, ignoreTriggers: true },
    forceUtcTimezone: true,
    ensureDatabase: false,
    logger: () => undefined,
  });
  const query = async <R extends object>(sql: string, params: readonly unknown[] = []): Promise<R[]> =>
    (await traced(tracing, sql, null, () => pool.query<R>(sql, [...params]))).rows;
  const prepared = preparedOn(pool, plans, tracing);
  return {
    orm,
    pool,
    em: () => orm.em.fork(),
    query,
    prepared,
    preparing: { query: (sql, params = []) => prepared(nameOf(sql), sql, params) },
    transaction: (work) => runTransaction(orm, plans, (em) => work(txOf(em, null))),
    preparingTransaction: (work) => runTransaction(orm, plans, (em) => work(txOf(em, plans))),
    close: async () => {
      await orm.close(true);
      // it ends the pool only where it has taken a connection of it
      if (!pool.ending) await pool.end();
    },
  };
}

function preparedOn(pool: pg.Pool, plans: KeptPlans, tracing: Tracing | null): Database['prepared'] {
  const run = <R extends object>(name: string, text: string, values: readonly unknown[]) =>
    traced(tracing, text, name, () => pool.query<R>({ name: plans.nameNow(name), text, values: [...values] }));
  return async <R extends object>(name: string, text: string, values: readonly unknown[]) => {
    const began = plans.generation;
    try {
      return (await run<R>(name, text, values)).rows;
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      plans.renew(began);
      return (await run<R>(name, text, values)).rows;
    }
  };
}

async function runTransaction<T>(orm: MikroORM, plans: KeptPlans, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const began = plans.generation;
    try {
      return await orm.em.fork().transactional(work);
    } catch (error) {
      const isStale = isStalePlan(error);
      if (attempt >= TRIES || !(isStale || RUN_AGAIN.has(sqlState(error) ?? ''))) throw error;
      if (isStale) plans.renew(began);
    }
  }
}

function txOf(em: EntityManager, plans: KeptPlans | null): Tx {
  const trx = em.getTransactionContext();
  if (trx === undefined) throw new Error('a transaction was expected to be open');
  return {
    em,
    query: async <R extends object>(sql: string, params: readonly unknown[] = []) => {
      plans?.keep(sql);
      return (await trx.executeQuery(CompiledQuery.raw(sql, [...params]))).rows as R[];
    },
  };
}

/** The SQLSTATE of a database error, however it was wrapped; undefined for anything else, such as EPIPE, which has five letters too. */
export function sqlState(error: unknown): string | undefined {
  return told(error)?.code;
}

/** Whether a prepared statement is refused because its columns have changed since. */
export function isStalePlan(error: unknown): boolean {
  const what = told(error);
  return what?.code === FEATURE_NOT_SUPPORTED && what.routine === STALE_PLAN_ROUTINE;
}

/** What Postgres said, at any depth of causes. */
function told(error: unknown): { code: string; routine: unknown } | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, routine, cause } = error as { code?: unknown; routine?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return { code, routine };
  return cause === error ? undefined : told(cause);
}

/** The name of the violated constraint, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { constraint, cause } = error as { constraint?: unknown; cause?: unknown };
  return typeof constraint === 'string' ? constraint : violatedConstraint(cause);
}

function openPool(config: DatabaseConfig): pg.Pool {
  const types = new pg.TypeOverrides();
  types.setTypeParser(TIMESTAMPTZ, (text) => parseInstant(text));
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: config.databasePool,
    options: '-c TimeZone=UTC -c DateStyle=ISO',
    application_name: 'perennial',
    connectionTimeoutMillis: 10_000,
    types,
  });
  // A connection the server drops reports here as well as to the query in flight; without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** "2025-01-31 00:00:00.123+00", as Postgres writes it in UTC. */
function parseInstant(text: string): number {
  return Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
}
