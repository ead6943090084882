import { spawn } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childEnvironment } from '../../config/launch.ts';
import { homeAt } from '../../local-stack/home.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { signalProcess } from '../../local-stack/process-identity.ts';
import { waitUntil } from '../../local-stack/wait.ts';
import { type Api, api } from '../../test/support/api.ts';
import { cpuSecondsOf, familyOf } from '../api/cpu.ts';

const PARTS = ['api', 'worker', 'postgres', 'temporal'] as const;
const IDLE_MS = 3_000;
const IDLE_LOOKS = 3;
const LOOK_MS = 1_000;
const LONGEST_REST_MS = 30_000;
/** Quiet is what uses little more than it does idle, in processors. */
const NOISE = 0.1;
const SHARE = 1.25;

/** Processor seconds by part. */
export type Used = Record<(typeof PARTS)[number], number>;

/** A checkout that runs with its own `npm start` in a home of its own. */
export interface Checkout {
  name: string;
  port: number;
  key: string;
  api: Api;
  databaseUrl: string;
  /** The same server as its administrator, who may change its settings. */
  adminUrl: string;
  postgresLog: string;
  used(): Promise<Used>;
  /** Processors that its parts use when nobody sends a request; measured again by each call. */
  idle(): Promise<Used>;
  /** Resolves when what was asked for has been done to its end: workflows too are at rest. */
  rest(): Promise<void>;
  /** Stands still while the other one is measured. */
  halt(): Promise<void>;
  proceed(): Promise<void>;
  stop(): Promise<void>;
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
  const signalAll = async (signal: NodeJS.Signals): Promise<void> => {
    for (const one of await familyOf(pid)) signalProcess(one, signal);
  };
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    return ((await answer.json()) as { status: string }).status === 'ready' ? true : null;
  };
  await waitUntil(ready, { timeoutMs: 180_000, everyMs: 200, what: `the start of ${name}` });
  const { api_key: key, database_url: databaseUrl } = await homeAt(home).readJson('dev.json', { api_key: '', database_url: '' });
  const adminUrl = asAdministrator(databaseUrl, await homeAt(home).savedSecret('postgres.admin.password'));
  const { children } = await homeAt(home).readJson<{ children: Record<string, { pid: number }> }>('run.json', { children: {} });
  const used = async (): Promise<Used> => {
    const seconds = await cpuSecondsOf(PARTS.map((part) => children[part]?.pid ?? 0));
    return Object.fromEntries(PARTS.map((part, at) => [part, seconds[at] ?? Number.NaN])) as Used;
  };
  const meters = metersOf(used);
  const postgresLog = join(home, 'logs', 'postgres.log');
  const stop = async (): Promise<void> => {
    await signalAll('SIGCONT');
    child.kill('SIGTERM');
    await ended;
    await output.close();
    await rm(home, { recursive: true, force: true });
  };
  const [halt, proceed] = [() => signalAll('SIGSTOP'), () => signalAll('SIGCONT')];
  return {
    name,
    port,
    key,
    api: api(key, `http://127.0.0.1:${port}`),
    databaseUrl,
    adminUrl,
    postgresLog,
    used,
    ...meters,
    halt,
    proceed,
    stop,
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

export const sumOf = (used: Used): number => Object.values(used).reduce((sum, part) => sum + part, 0);

export function spentBetween(before: Used, after: Used): Used {
  return Object.fromEntries(PARTS.map((part) => [part, after[part] - before[part]])) as Used;
}

function metersOf(used: () => Promise<Used>): Pick<Checkout, 'idle' | 'rest'> {
  let quiet = Number.POSITIVE_INFINITY;
  const over = async (ms: number): Promise<Used> => {
    const [before, began] = [await used(), performance.now()];
    await pause(ms);
    const seconds = (performance.now() - began) / 1000;
    const spent = spentBetween(before, await used());
    return Object.fromEntries(PARTS.map((part) => [part, spent[part] / seconds])) as Used;
  };
  return {
    idle: async () => {
      const looks: Used[] = [];
      // what was asked for before may still go on in the first
      while (looks.length < IDLE_LOOKS) looks.push(await over(IDLE_MS));
      const least = looks.reduce((found, look) => (sumOf(look) < sumOf(found) ? look : found));
      quiet = sumOf(least) * SHARE + NOISE;
      return least;
    },
    rest: async () => {
      const until = Date.now() + LONGEST_REST_MS;
      while (sumOf(await over(LOOK_MS)) > quiet && Date.now() < until);
    },
  };
}
