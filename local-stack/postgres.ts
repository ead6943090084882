import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { childEnvironment } from '../config/launch.ts';
import { type Child, startChild } from './child.ts';
import type { Home } from './home.ts';
import type { Log } from './log.ts';
import { rememberedPort } from './ports.ts';
import { type PostgresPrograms, postgresPrograms } from './postgres-programs.ts';
import { type PostgresUser, postgresUser } from './postgres-user.ts';
import { identityOf } from './process-identity.ts';
import { GiveUp, waitUntil } from './wait.ts';

const run = promisify(execFile);
/** Owns the database and nothing else on the server. */
const ROLE = 'perennial';
/** Makes the role and its database; used for nothing else. */
const ADMIN = 'postgres';
const DATABASE = 'perennial';
const START_TIMEOUT = 60_000;
/**
 * What Postgres says where statements of a server that was killed still run: they notice its end only when they have
 * computed to theirs.
 */
const STILL_IN_USE = 'pre-existing shared memory block';
const TRY_AGAIN_MS = 250;

export type Postgres = {
  url: string;
  /** As its administrator, who may make databases and change settings. */
  adminUrl: string;
  port: number;
  /** Starts it (again, after a crash) on the same port and data; resolves when it takes connections. */
  start(): Promise<Child>;
};

/**
 * Prepares a cluster in the home; it is made on first use.
 *
 * @param own other programs than those that npm has installed
 */
export async function preparePostgres(home: Home, log: Log, own?: PostgresPrograms): Promise<Postgres> {
  const programs = own ?? (await postgresPrograms());
  const user = await postgresUser([programs.postgres, home.path]);
  const [password, adminPassword, port] = await Promise.all([
    home.savedSecret('postgres.password'),
    home.savedSecret('postgres.admin.password'),
    rememberedPort(home, 'postgres'),
  ]);
  const data = home.file('postgres');
  if (!(await exists(join(data, 'PG_VERSION')))) {
    log('Making a database cluster');
    await makeCluster(home, programs, user, adminPassword);
  }
  const url = `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
  const adminUrl = `postgres://${ADMIN}:${adminPassword}@127.0.0.1:${port}/postgres`;
  const startOnce = async (): Promise<Child> => {
    await dropStaleLock(data);
    const child = startChild(serverPlan(home, programs, user, data, port));
    await home.noteChild('postgres', child.pid, child.stopSignal);
    await whenTakingConnections(child, adminUrl, password);
    return child;
  };
  const start = async (): Promise<Child> => {
    for (const until = Date.now() + START_TIMEOUT; ; await pause(TRY_AGAIN_MS)) {
      try {
        return await startOnce();
      } catch (error) {
        if (!(error instanceof GiveUp && error.message.includes(STILL_IN_USE)) || Date.now() > until) throw error;
      }
    }
  };
  return { url, adminUrl, port, start };
}

/** Made in a folder beside it and renamed, so that a kill in between leaves no half cluster. */
async function makeCluster(home: Home, programs: PostgresPrograms, user: PostgresUser, password: string): Promise<void> {
  const draft = home.file('postgres.new');
  const passwordFile = home.file('initdb.password');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await Promise.all([user.own(draft), user.own(passwordFile)]);
  const [command = '', ...args] = [
    ...user.prefix,
    programs.initdb,
    `--pgdata=${draft}`,
    `--username=${ADMIN}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  const identity = user.uid === undefined ? {} : { uid: user.uid, gid: user.gid ?? user.uid };
  await run(command, args, { env: childEnvironment({ LC_ALL: 'C' }), cwd: '/', ...identity });
  await rm(passwordFile);
  await rename(draft, home.file('postgres'));
}

function serverPlan(
  home: Home,
  programs: PostgresPrograms,
  user: PostgresUser,
  data: string,
  port: number,
): Parameters<typeof startChild>[0] {
  // What was acknowledged must be on disk: fsync and synchronous_commit stay on.
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'on',
    synchronous_commit: 'on',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...args] = [...user.prefix, programs.postgres, '-D', data, ...flags];
  return {
    name: 'postgres',
    command,
    args,
    env: childEnvironment({ LC_ALL: 'C' }),
    logFile: home.logFile('postgres'),
    stopSignal: 'SIGINT',
    ...(user.uid === undefined ? {} : { uid: user.uid, gid: user.gid ?? user.uid }),
  };
}

/** Crash recovery may take long; a process that ends says why in its log. */
async function whenTakingConnections(child: Child, adminUrl: string, password: string): Promise<void> {
  const probe = async (): Promise<true> => {
    const ended = child.ended();
    if (ended !== null) throw new GiveUp(`Postgres did not start (${ended}):\n${await child.logEnd()}`);
    await makeDatabase(adminUrl, password);
    return true;
  };
  await waitUntil(probe, { timeoutMs: START_TIMEOUT, what: 'the start of Postgres' });
}

async function makeDatabase(adminUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const role = await client.query('select 1 from pg_roles where rolname = $1', [ROLE]);
    if (role.rowCount === 0) await client.query(`create role ${ROLE} login password ${client.escapeLiteral(password)}`);
    const database = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (database.rowCount === 0) await client.query(`create database ${DATABASE} owner ${ROLE}`);
  } finally {
    await client.end();
  }
}

/**
 * After a kill -9 the lock file names a pid that may belong to another process by now; Postgres would then refuse to
 * start. So the process itself is checked: only one that runs on this folder counts.
 */
async function dropStaleLock(data: string): Promise<void> {
  const path = join(data, 'postmaster.pid');
  if (!(await exists(path))) return;
  const pid = Number.parseInt((await readFile(path, 'utf8')).split('\n')[0] ?? '', 10);
  if (!Number.isInteger(pid) || (await identityOf(pid)) === null || !(await isPostgresOn(pid, data))) await rm(path, { force: true });
}

async function isPostgresOn(pid: number, data: string): Promise<boolean> {
  if (process.platform === 'linux') {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').includes(data);
  }
  return (await run('ps', ['-o', 'command=', '-p', String(pid)])).stdout.includes(data);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
