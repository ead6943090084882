import type { Config } from '../config/config.ts';
import { loadLocalConfig } from '../config/local.ts';
import { connect, type Database, MIGRATION_LIMITS } from '../db/connect.ts';
import { isUnreachable } from '../db/fault.ts';
import { ping } from '../db/health/ping.ts';
import { CommandError } from './run.ts';

/** What to do about each error code of Postgres or of the connection to it. */
const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Postgres does not answer at DATABASE_URL; without that variable, is npm start running on this home?',
  ENOTFOUND: 'The host that DATABASE_URL names is not known.',
  '28P01': 'Postgres refuses the password in DATABASE_URL.',
  '28000': 'Postgres refuses the role in DATABASE_URL.',
  '3D000': 'There is no such database as DATABASE_URL names.',
  '42P01': 'The tables are missing or old: run migrate first.',
  '42703': 'The tables are missing or old: run migrate first.',
};

/**
 * Opens the configured database for one command.
 *
 * @param way `patient`: with time for long statements; `direct`: past the pooler too, where there is one
 */
export async function withConfiguredDatabase<T>(
  work: (db: Database, config: Config) => Promise<T>,
  way: 'configured' | 'patient' | 'direct' = 'configured',
): Promise<T> {
  const config = loadLocalConfig();
  const limits = way === 'configured' ? {} : { limits: MIGRATION_LIMITS };
  const db = await connect({ ...config, ...limits, ...(way === 'direct' && directly(config)), databasePool: 2 });
  try {
    // a database that isn't there is reported before the command begins
    await ping(db).catch(throwUnreachable);
    return await work(db, config);
  } catch (error) {
    const message = error instanceof CommandError ? undefined : MESSAGES[codeOf(error)];
    if (message === undefined) throw error;
    throw new CommandError(message, { cause: error });
  } finally {
    await db.close();
  }
}

const directly = ({ directDatabaseUrl }: Config) =>
  directDatabaseUrl === null ? {} : { databaseUrl: directDatabaseUrl, preparedStatements: 'on' as const };

/** Also where it took too long, or where something else answers: such errors have no code of their own. */
function throwUnreachable(error: unknown): never {
  if (codeOf(error) !== '' || !isUnreachable(error)) throw error;
  throw new CommandError(MESSAGES.ECONNREFUSED, { cause: error });
}

/** The first known code of an error or of its causes. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && code in MESSAGES ? code : codeOf(error.cause);
}
