import type { Config } from '../config/config.ts';
import { loadLocalConfig } from '../config/local.ts';
import { connect, type Database } from '../db/connect.ts';
import { UnreachableError } from './command.ts';

/** Opens the configured database for one command. */
export async function withDatabase<T>(work: (db: Database, config: Config) => Promise<T>): Promise<T> {
  const config = loadLocalConfig();
  const db = await connect({ ...config, databasePool: 2 });
  try {
    return await work(db, config);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    throw new UnreachableError('Postgres does not answer at DATABASE_URL; without that variable, is npm start running on this home?', {
      cause: error,
    });
  } finally {
    await db.close();
  }
}
