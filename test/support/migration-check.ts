import type { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import type { Database } from '../../db/connect.ts';

/** What a migration would do to who works on the database meanwhile. */
export interface MigrationProblem {
  statement: string;
  problem: string;
}

/** The statements of a migration; outside of a transaction each is committed by itself, as CONCURRENTLY demands it. */
export interface MigrationSteps {
  statements: readonly string[];
  inTransaction: boolean;
}

/** These block writes, or reads and writes: a transaction that waits for one blocks all that come later. */
const BLOCKING = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
/** Milliseconds for which a migration may hold up the others while it waits. */
const LONGEST_WAIT = 1_000;

interface Relation {
  name: string;
  file: string;
}

/**
 * Runs a migration and watches it: no table or index that was there may be written again (its file changes), and a lock
 * that blocks writes may only be asked for with a `lock_timeout` of at most a second.
 *
 * @param databaseUrl a database with rows that nobody else uses; what the migration does stays
 */
export async function checkMigration(databaseUrl: string, { statements, inTransaction }: MigrationSteps): Promise<MigrationProblem[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const before = await relations(client);
    const problems: MigrationProblem[] = [];
    if (inTransaction) await client.query('begin');
    for (const statement of statements) problems.push(...(await watch(client, statement, inTransaction, before)));
    if (inTransaction) await client.query('commit');
    return problems;
  } finally {
    await client.end();
  }
}

/** The steps of a migration of ours. */
export async function stepsOf(db: Database, migration: new (...args: never[]) => Migration): Promise<MigrationSteps> {
  const made = new (migration as new (...args: unknown[]) => Migration)(db.orm.em.getDriver(), db.orm.config);
  await made.up();
  return { statements: made.getQueries().map(String), inTransaction: made.isTransactional() };
}

async function watch(
  client: pg.Client,
  statement: string,
  inTransaction: boolean,
  before: Map<string, Relation>,
): Promise<MigrationProblem[]> {
  const held = new Set(await blocked(client));
  const wait = await lockTimeout(client);
  // a statement that may not run in a transaction takes no blocking lock
  const alone = !inTransaction && !/\bconcurrently\b/i.test(statement);
  if (alone) await client.query('begin');
  await client.query(statement);
  const locked = (await blocked(client)).filter((oid) => !held.has(oid) && before.has(oid));
  if (alone) await client.query('commit');
  const waits = wait === 0 || wait > LONGEST_WAIT;
  const rewritten = await written(client, before);
  return [
    ...(waits ? locked : []).map((oid) => ({ statement, problem: `locks ${before.get(oid)?.name} and would wait without end for it` })),
    ...rewritten.map((name) => ({ statement, problem: `writes ${name} again` })),
  ];
}

async function relations(client: pg.Client): Promise<Map<string, Relation>> {
  const { rows } = await client.query<{ oid: string; name: string; file: string }>(
    `select c.oid::text as oid, c.relname as name, c.relfilenode::text as file from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'i', 'I', 'm')`,
  );
  return new Map(rows.map(({ oid, ...relation }) => [oid, relation]));
}

/** What has another file than before, each once. */
async function written(client: pg.Client, before: Map<string, Relation>): Promise<string[]> {
  const now = await relations(client);
  const names: string[] = [];
  for (const [oid, relation] of before) {
    const file = now.get(oid)?.file;
    if (file === undefined || file === relation.file) continue;
    names.push(relation.name);
    relation.file = file;
  }
  return names;
}

async function blocked(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ oid: string }>(
    `select distinct relation::text as oid from pg_locks
      where pid = pg_backend_pid() and locktype = 'relation' and granted and mode = any($1)`,
    [BLOCKING],
  );
  return rows.map(({ oid }) => oid);
}

async function lockTimeout(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(`select setting::int as ms from pg_settings where name = 'lock_timeout'`);
  return rows[0]?.ms ?? 0;
}
