import { spawn } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { childEnvironment } from '../../config/launch.ts';
import { homeAt } from '../../local-stack/home.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { waitUntil } from '../../local-stack/wait.ts';
import { type Api, api } from '../../test/support/api.ts';
import { PARTS, programsOf, type System } from './system.ts';

/** A checkout that runs with its own `npm start` in a home of its own. */
export interface Checkout extends System {
  api: Api;
  databaseUrl: string;
  /** The same server as its administrator, who may change its settings. */
  adminUrl: string;
  postgresLog: string;
}

export async function startCheckout(name: string, path: string): Promise<Checkout> {
  const home = await mkdtemp(join(tmpdir(), `perennial-compare-${name}-`));
  const port = await anyFreePort();
  const output = await open(join(home, 'start.log'), 'a');
  const child = spawn(process.execPath, [join(resolve(path), 'local-stack', 'start.ts')], {
    cwd: resolve(path),
    env: childEnvironment({ PERENNIAL_HOME: home, PORT: String(port), ...cacheOf(process.env) }),
    stdio: ['ignore', output.fd, output.fd],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const pid = child.pid ?? 0;
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return ((await answer.json()) as { status: string }).status === 'ready' ? true : null;
  };
  await waitUntil(ready, { timeoutMs: 180_000, everyMs: 200, what: `the start of ${name}` });
  const { api_key: key, database_url: databaseUrl } = await homeAt(home).readJson('dev.json', { api_key: '', database_url: '' });
  const adminUrl = asAdministrator(databaseUrl, await homeAt(home).savedSecret('postgres.admin.password'));
  const { children } = await homeAt(home).readJson<{ children: Record<string, { pid: number }> }>('run.json', { children: {} });
  const pids = Object.fromEntries(PARTS.map((part) => [part, children[part]?.pid ?? 0]));
  const whole = programsOf({ api: pid });
  const stop = async (): Promise<void> => {
    await whole.proceed();
    child.kill('SIGTERM');
    await ended;
    await output.close();
    await rm(home, { recursive: true, force: true });
  };
  return {
    ...programsOf(pids),
    // the program that starts the others too, which would take their silence for a crash
    ...{ halt: whole.halt, proceed: whole.proceed, stop },
    ...{ name, port, headers: { 'wb-key': key }, api: api(key, `http://127.0.0.1:${port}`) },
    ...{ databaseUrl, adminUrl, postgresLog: join(home, 'logs', 'postgres.log') },
  };
}

function asAdministrator(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl);
  [url.username, url.password, url.pathname] = ['postgres', password, 'postgres'];
  return url.href;
}

/** Where the programs are found, and the folder in which they are stored. */
function cacheOf({ PATH, HOME, PERENNIAL_CACHE }: NodeJS.ProcessEnv): Record<string, string> {
  const given = { PATH, HOME, PERENNIAL_CACHE };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
