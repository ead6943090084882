import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Tracing } from '../config/tracing.ts';
import type { CountedWork } from './counted.ts';
import { entities } from './entities/index.ts';
import { Lockers } from './lockers.ts';
import { migrations } from './migrations/index.ts';
import { type DatabaseLimits, openPool, transactionPool } from './pool.ts';
import { KeptPlans, nameOf } from './prepared.ts';
import { readTogether } from './read-together.ts';
import { isStalePlan } from './sql-state.ts';
import { startingWithin } from './start-limit.ts';
import { traceConnection, traced } from './statement.ts';
import { timeStatements } from './timed.ts';
import { type Dispatcher, type Fault, runTransaction, type TransactionOptions, type Tx } from './transaction.ts';

export type { Caller, Tx } from './transaction.ts';

export type Row = Record<string, unknown>;

/**
 * SQL with `$1` placeholders. `numeric` and `bigint` come as text, `timestamptz` as epoch milliseconds, `jsonb` parsed.
 */
export interface Queryable {
  query<R extends object = Row>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /** Statements that are sent without waiting reach one connection, in their order. */
  readonly sendsAtOnce?: true;
}

export interface Database extends Queryable {
  orm: MikroORM;
  pool: pg.Pool;
  /** A fresh entity manager, one per request or job. */
  em(): EntityManager;
  /**
   * Commits when `work` returns, rolls back when it throws, then passes the messages of its outbox to the dispatcher.
   * See `transaction.ts`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Sends messages to workflows for this process; without it they are left to the relay. */
  dispatcher: Dispatcher | null;
  /** Null where nobody traces. */
  readonly tracing: Tracing | null;
  /** Whether a transaction of this process waits for a connection, or a request for the transaction that it shares. */
  isCrowded(): boolean;
  /** The groups whose requests wait for a transaction that they share. */
  readonly crowds: { readonly isCrowded: boolean }[];
  /** Takes what failed in a committed transaction without stopping it; the processes log it. */
  onFault: ((fault: Fault) => void) | null;
  /** Takes what operators count of each committed transaction of this process. */
  onCounted: ((counted: readonly CountedWork[]) => void) | null;
  /** Takes the milliseconds that a statement has taken. */
  onStatement: ((milliseconds: number) => void) | null;
  /** Whether this installation sends e-mails: without it none is queued. */
  sendsMail: boolean;
  /** A statement prepared once per connection, for the hot reads and writes. */
  prepared<R extends object = Row>(name: string, sql: string, params: readonly unknown[]): Promise<R[]>;
  /**
   * The same for code that also runs in transactions: prepares every statement it is given, whose texts must therefore
   * be few.
   */
  readonly preparing: Queryable;
  /** Reads that belong together, on one connection (`read-together.ts`). */
  reading<T>(work: (db: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Callers of the API are answered within 5 s, whatever Postgres does. */
export const API_LIMITS: DatabaseLimits = { connect: 4_000, lock: 4_000, statement: 4_000 };
/** Milliseconds for work that no caller waits for: long, but not without end. */
const PATIENT_LIMITS: DatabaseLimits = { connect: 10_000, lock: 30_000, statement: 60_000 };

/** Milliseconds for migrations: an index of a large table takes hours to build. */
export const MIGRATION_LIMITS: DatabaseLimits = { ...PATIENT_LIMITS, statement: 86_400_000 };

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'databasePool'> &
  Partial<Pick<Config, 'smtpUrl' | 'preparedStatements'>> & { limits?: DatabaseLimits };

/** Connections of the pool that transactions leave to reads and usage. */
const KEPT_FOR_READS = 3;

export async function connect(config: DatabaseConfig, tracing: Tracing | null = null): Promise<Database> {
  const limits = config.limits ?? PATIENT_LIMITS;
  const pool = openPool(config, limits);
  const lockers = new Lockers(Math.max(2, config.databasePool - KEPT_FOR_READS), limits.connect);
  const plans = new KeptPlans(config.preparedStatements !== 'off');
  pool.on('connect', (client) => plans.install(client));
  if (tracing !== null) pool.on('connect', (client) => traceConnection(tracing, client));
  pool.on('connect', (client) => timeStatements(client, (milliseconds) => database.onStatement?.(milliseconds)));
  const orm = await MikroORM.init({
    driverOptions: new PostgresDialect({ pool: transactionPool(pool) }),
    clientUrl: config.databaseUrl,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, allOrNothing: false, snapshot: false, tableName: 'migration', disableForeignKeys: false },
    // triggers and functions are written by hand in the migrations
    schemaGenerator: { disableForeignKeys: false, ignoreTriggers: true, ignoreRoutines: true },
    forceUtcTimezone: true,
    ensureDatabase: false,
    logger: () => undefined,
  });
  const query = async <R extends object>(sql: string, params: readonly unknown[] = []): Promise<R[]> =>
    (await traced(tracing, sql, null, () => pool.query<R>(sql, [...params]))).rows;
  const prepared = preparedOn(pool, plans, tracing);
  const inPlace = <T>(run: () => Promise<T>): Promise<T> => startingWithin(limits.connect, () => lockers.run(run));
  const database: Database = {
    orm,
    pool,
    dispatcher: null,
    tracing,
    isCrowded: () => lockers.isCrowded || database.crowds.some((crowd) => crowd.isCrowded),
    crowds: [],
    onFault: null,
    onCounted: null,
    onStatement: null,
    sendsMail: config.smtpUrl != null,
    em: () => orm.em.fork(),
    query,
    prepared,
    preparing: { query: (sql, params = []) => prepared(nameOf(sql), sql, params) },
    reading: (work) => readTogether(pool, plans, work),
    transaction: (work, options = {}) => {
      const { dispatcher, onFault, onCounted, sendsMail } = database;
      return runTransaction({ orm, pool, plans, dispatcher, tracing, onFault, onCounted, sendsMail, inPlace }, work, options);
    },
    close: async () => {
      await orm.close(true);
      // MikroORM closes the pool only where it has taken a connection from it
      if (!pool.ending) await pool.end();
    },
  };
  return database;
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
