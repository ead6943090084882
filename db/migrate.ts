import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from './connect.ts';
import { makeUsageMonths } from './usage/months.ts';

/** One migrator at a time, however many processes start at once. */
const MIGRATION_LOCK = 7_305_112_001;
/** Milliseconds between two tries to be that one. */
const TRY_EVERY = 200;

/** Brings the database to the newest version, with the partitions of the next months; returns the names of what ran. */
export async function migrate(db: Database): Promise<string[]> {
  const client = await db.pool.connect();
  try {
    // held by a transaction rather than by the session, which a pooler would hand on
    await client.query('begin');
    await becomeMigrator(client);
    const done = await db.orm.migrator.up();
    await makeUsageMonths(db, Date.now());
    return done.map((migration) => migration.name);
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/**
 * Waits until no other process migrates. It asks again and again, and without parameters: an index that is built
 * concurrently waits for every transaction that still sees an older state, as one does whose statement waits, or whose
 * last one had parameters.
 */
async function becomeMigrator(client: pg.PoolClient): Promise<void> {
  const isMine = async () =>
    (await client.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as mine`)).rows[0]?.mine === true;
  while (!(await isMine())) await pause(TRY_EVERY);
}

/** Names of migrations not applied yet. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  return (await db.orm.migrator.getPending()).map((migration) => migration.name);
}

/** SQL that would bring the tables to what the entities say; empty when migrations and entities agree. */
export async function schemaDifference(db: Database): Promise<string> {
  return (await db.orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false })).trim();
}
