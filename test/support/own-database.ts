import { connect, type Database } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { servers } from './servers.ts';
import { asAdministrator } from './vendor.ts';

export type OwnDatabase = { db: Database; databaseUrl: string; drop(): Promise<void> };

let made = 0;

/** A database without tables on the shared Postgres. */
export async function emptyDatabase(): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  made += 1;
  const name = `own_${process.pid}_${Date.now()}_${made}`;
  await asAdministrator(`create database ${name} owner perennial`);
  const url = new URL((await servers()).databaseUrl);
  url.pathname = name;
  return { databaseUrl: url.href, drop: () => asAdministrator(`drop database ${name} with (force)`) };
}

/** One with all tables: no worker and no API looks at it. Drop it in `afterAll`. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const { databaseUrl, drop } = await emptyDatabase();
  const db = await connect({ databaseUrl, databasePool: 4 });
  await migrate(db);
  return {
    db,
    databaseUrl,
    drop: async () => {
      await db.close();
      await drop();
    },
  };
}
