import { execFile, execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The major version of the server that tests run on. */
const MAJOR = 18;

/** The folder with `pg_dump` and `pg_restore` of the server's own version, null where PATH has none. */
export function findPgDump(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.find((folder) => majorOf(join(folder, 'pg_dump')) === MAJOR) ?? null;
}

function majorOf(program: string): number | null {
  try {
    const said = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/ (\d+)\./.exec(said)?.[1] ?? 0);
  } catch {
    return null;
  }
}

/** The commands of `docs/backup.md`. */
export const dump = (folder: string, databaseUrl: string, file: string): Promise<unknown> =>
  run(join(folder, 'pg_dump'), ['--format=custom', `--file=${file}`, databaseUrl]);
export const restore = (folder: string, databaseUrl: string, file: string): Promise<unknown> =>
  run(join(folder, 'pg_restore'), ['--no-owner', '--exit-on-error', `--dbname=${databaseUrl}`, file]);
