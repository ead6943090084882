import { connect, type Database } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { servers } from './servers.ts';
import { asAdministrator } from './vendor.ts';

export type OwnDatabase = { db: Database; databaseUrl: string; drop(): Promise<void> };

let made = 0;

/** An empty database with all tables on the shared Postgres: no worker and no API looks at it. Drop it in `afterAll`. */
export async function ownDatabase(): Promise<OwnDatabase> {
  made += 1;
  const name = `own_${process.pid}_${Date.now()}_${made}`;
  await asAdministrator(`create database ${name} owner perennial`);
  const url = new URL((await servers()).databaseUrl);
  url.pathname = name;
  const db = await connect({ databaseUrl: url.href, databasePool: 4 });
  await migrate(db);
  return {
    db,
    databaseUrl: url.href,
    drop: async () => {
      await db.close();
      await asAdministrator(`drop database ${name} with (force)`);
    },
  };
}
