import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { connect, type Database } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { exportServer } from '../../db/sql/export/server.ts';
import { type Home, takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';
import { eventually } from '../support/eventually.ts';

const quiet = (): void => undefined;

let path: string;
let home: Home;
let server: Awaited<ReturnType<Awaited<ReturnType<typeof preparePostgres>>['start']>>;
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'perennial-numbers-'));
  home = await takeHome(path, quiet);
});
afterAll(async () => {
  await server.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
});

/** Else Postgres might write the numbers to disk by itself before the crash. */
async function flushSeldom(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`alter system set wal_writer_delay = '10s'`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

async function withDatabase<T>(databaseUrl: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await connect({ databaseUrl, databasePool: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

describe('the number up to which an export reads', () => {
  it('is given to no transaction after a crash, though all of those before it were rolled back', async () => {
    const postgres = await preparePostgres(home, quiet);
    server = await postgres.start();
    const { name, settled } = await withDatabase(postgres.url, async (db) => {
      await migrate(db);
      await flushSeldom(postgres.adminUrl);
      for (let n = 0; n < 50; n += 1) await db.query('select 1 / (pg_current_xact_id()::text::bigint * 0)').catch(quiet);
      return await exportServer(db);
    });
    // Postgres ends at once, and writes nothing more to disk
    process.kill(server.pid, 'SIGQUIT');
    await eventually(async () => expect(server.ended()).not.toBeNull());

    server = await postgres.start();
    await withDatabase(postgres.url, async (db) => {
      const [next] = await db.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
      expect(BigInt(next?.xid ?? '') >= settled).toBe(true);
      expect((await exportServer(db)).name).toBe(name);
    });
  });
});
