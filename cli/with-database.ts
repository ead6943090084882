import type { Config } from '../config/config.ts';
import { loadLocalConfig } from '../config/local.ts';
import { connect, type Database } from '../db/connect.ts';

/** Opens the configured database for one command. */
export async function withDatabase<T>(work: (db: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadLocalConfig();
  const db = await connect({ ...config, databasePool: 2 });
  try {
    return await work(db, config);
  } finally {
    await db.close();
  }
}
