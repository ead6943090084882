import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { connect, type Database } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';

/** A Postgres of the test's own with all tables, that nothing else works with. Stop it in `afterAll`. */
export interface OwnPostgres {
  databaseUrl: string;
  withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** What isn't on disk yet stays in memory for longer than a test takes. */
  writeSeldom(): Promise<void>;
  kill9(): Promise<void>;
  /** Has it end at once, without writing anything more to disk. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const quiet = (): void => undefined;

export async function ownPostgres(): Promise<OwnPostgres> {
  const path = await mkdtemp(join(tmpdir(), 'perennial-postgres-'));
  const home = await takeHome(path, quiet);
  const postgres = await preparePostgres(home, quiet);
  let server = await postgres.start();
  const withDatabase = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const db = await connect({ databaseUrl: postgres.url, databasePool: 2 });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  };
  await withDatabase(migrate);
  return {
    databaseUrl: postgres.url,
    withDatabase,
    writeSeldom: async () => {
      const client = new pg.Client({ connectionString: postgres.adminUrl });
      await client.connect();
      await client.query(`alter system set wal_writer_delay = '10s'`);
      await client.query('select pg_reload_conf()');
      await client.end();
    },
    kill9: () => server.kill(),
    crash: async () => {
      process.kill(server.pid, 'SIGQUIT');
      await server.whenEnded;
    },
    restart: async () => {
      server = await postgres.start();
    },
    stop: async () => {
      await server.stop(30_000);
      await home.release();
      await rm(path, { recursive: true, force: true });
    },
  };
}
