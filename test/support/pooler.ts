import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../db/connect.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { postgresUser } from '../../local-stack/postgres-user.ts';
import { findProgram } from './chromium.ts';
import { eventually } from './eventually.ts';
import type { Servers } from './servers.ts';

/** The path of PgBouncer on this machine, null when it has none. Debian puts it where only root looks. */
export const findPgBouncer = (): string | null => findProgram(['pgbouncer', '../sbin/pgbouncer']);

/** A PgBouncer in transaction mode before the database of these servers. Stop it in `afterAll`. */
export async function pooler(program: string, servers: Servers, connections: number): Promise<{ servers: Servers; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'perennial-pooler-'));
  const user = await postgresUser([program]);
  await user.own(folder);
  const port = await anyFreePort();
  const url = new URL(servers.databaseUrl);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, settings(url, port, connections, folder), { mode: 0o644 });
  const child = spawn(user.prefix[0] ?? program, [...user.prefix.slice(1), ...(user.prefix.length > 0 ? [program] : []), '-q', file], {
    ...(user.uid === undefined ? {} : { uid: user.uid, gid: user.gid ?? user.uid }),
    stdio: 'ignore',
  });
  url.port = String(port);
  const behind = { ...servers, databaseUrl: url.href };
  await eventually(() => answers(behind.databaseUrl));
  return {
    servers: behind,
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(databaseUrl: string): Promise<void> {
  const db = await connect({ databaseUrl, databasePool: 2, preparedStatements: 'off' });
  await db.query('select 1').finally(() => db.close());
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise<void>((done) => child.once('exit', () => done()));
  child.kill('SIGINT');
  await exit;
}

const settings = (url: URL, port: number, connections: number, folder: string): string => `[databases]
* = host=${url.hostname} port=${url.port} user=${url.username} password=${decodeURIComponent(url.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
`;
