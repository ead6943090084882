import { execFile } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Postgres refuses to run as root. There it runs as the system user `postgres`, who is made where it doesn't exist. */
export type PostgresUser = {
  uid?: number;
  gid?: number;
  /** Put before each program. */
  prefix: readonly string[];
  own(path: string): Promise<void>;
};

/** @param reach programs and folders that this user must be able to open */
export async function postgresUser(reach: readonly string[]): Promise<PostgresUser> {
  if (userInfo().uid !== 0) return { prefix: [], own: async () => {} };
  const [uid, gid] = await findOrMakeUser();
  const own = (path: string): Promise<void> => chown(path, uid, gid);
  if (await canReach(reach, uid, gid)) return { uid, gid, prefix: [], own };
  return { prefix: await rootReach(reach), own };
}

async function findOrMakeUser(): Promise<[number, number]> {
  const known = await idOf('postgres');
  if (known) return known;
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  } catch (error) {
    throw new Error(
      `Postgres does not run as root and the system user "postgres" could not be made (${text(error)}). Run as another user, or make that user.`,
    );
  }
  const made = await idOf('postgres');
  if (!made) throw new Error('The system user "postgres" was made but is not there.');
  return made;
}

async function idOf(name: string): Promise<[number, number] | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return [Number.parseInt(uid.stdout, 10), Number.parseInt(gid.stdout, 10)];
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === 'number') return null;
    throw error;
  }
}

async function canReach(paths: readonly string[], uid: number, gid: number): Promise<boolean> {
  try {
    for (const path of paths) await run('/bin/sh', ['-c', 'test -x "$1"', 'test', path], { uid, gid, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

/** A checkout in root's own home is closed to every other user: this one process may open closed folders. */
async function rootReach(paths: readonly string[]): Promise<string[]> {
  const prefix = [
    'setpriv',
    '--reuid=postgres',
    '--regid=postgres',
    '--clear-groups',
    '--inh-caps=+dac_override,+dac_read_search',
    '--ambient-caps=+dac_override,+dac_read_search',
    '--',
  ];
  try {
    for (const path of paths) await run(prefix[0] ?? '', [...prefix.slice(1), '/bin/sh', '-c', 'test -x "$1"', 'test', path]);
    return prefix;
  } catch {
    throw new Error(
      `Postgres runs as the user "postgres", who cannot get at ${paths.join(' or ')}. Move the checkout, or run as another user than root.`,
    );
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error);
}
