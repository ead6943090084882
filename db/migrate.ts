import type { Database } from './connect.ts';
import { makeUsageMonths } from './usage/months.ts';

/** One migrator at a time, however many processes start at once. */
const MIGRATION_LOCK = 7_305_112_001;

/** Brings the database to the newest version, with the partitions of the next months; returns the names of what ran. */
export async function migrate(db: Database): Promise<string[]> {
  const client = await db.pool.connect();
  try {
    // held by a transaction rather than by the session, which a pooler would hand on
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const done = await db.orm.migrator.up();
    await makeUsageMonths(db, Date.now());
    return done.map((migration) => migration.name);
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

/** Names of migrations not applied yet. */
export async function pendingMigrations(db: Database): Promise<string[]> {
  return (await db.orm.migrator.getPending()).map((migration) => migration.name);
}

/** SQL that would bring the tables to what the entities say; empty when migrations and entities agree. */
export async function schemaDifference(db: Database): Promise<string> {
  return (await db.orm.schema.getUpdateSchemaSQL({ wrap: false, safe: false })).trim();
}
