import { join } from 'node:path';
import { DEFAULT_NAMESPACE, DEFAULT_TASK_QUEUE, serviceEnvironment } from '../config/launch.ts';
import { connect, type Database } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { type Child, startChild } from '../local-stack/child.ts';
import { type Home, takeHome } from '../local-stack/home.ts';
import type { Log } from '../local-stack/log.ts';
import { anyFreePort } from '../local-stack/ports.ts';
import { preparePostgres } from '../local-stack/postgres.ts';
import type { PostgresPrograms } from '../local-stack/postgres-programs.ts';
import { waitUntil } from '../local-stack/wait.ts';
import { startTemporal } from './rollover/temporal.ts';

const ROOT = join(import.meta.dirname, '..');
const API = 'api/main.ts';
const PATIENCE_MS = 30_000;

/**
 * The processes of docker-compose.yml without their containers: the production Temporal server on Postgres, our tables
 * in the same cluster, and as many APIs and workers as are started.
 */
export interface Production {
  home: Home;
  db: Database;
  databaseUrl: string;
  temporalAddress: string;
  postgres: Child;
  temporal: Child;
  /** resolves when it answers; `variables`: more settings */
  startApi(variables?: Record<string, string>): Promise<{ child: Child; base: string; port: number }>;
  /** another program than the worker's own, by its path from the root, its arguments, and more settings */
  startWorker(program?: string, args?: readonly string[], variables?: Record<string, string>): Child;
  stop(): Promise<void>;
}

/** `server`: starts another Temporal server than the production one. `programs`: other ones of Postgres than npm's. */
export async function startProduction(
  path: string,
  log: Log,
  { server = startTemporal, programs }: { server?: Server | undefined; programs?: PostgresPrograms | undefined } = {},
): Promise<Production> {
  const home = await takeHome(path, log);
  const children: Child[] = [];
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) await child.stop(PATIENCE_MS);
    await home.release();
  };
  const started = <C extends Child>(child: C): C => {
    children.push(child);
    return child;
  };
  try {
    const prepared = await preparePostgres(home, log, programs);
    const postgres = started(await prepared.start());
    const db = await connect({ databaseUrl: prepared.url, databasePool: 4 });
    await migrate(db);
    const { address, child } = await server(home, prepared.adminUrl, log);
    const temporal = started(child);
    const variables = variablesOf(address, prepared.url);
    const run = (name: string, program: string, args: readonly string[], more: Record<string, string> = {}): Child =>
      started(startProgram(home, { name: `${name}-${children.length}`, program, args, variables: { ...variables, ...more } }));
    return {
      ...{ home, db, databaseUrl: prepared.url, temporalAddress: address, postgres, temporal },
      startApi: async (more = {}) => {
        const port = await anyFreePort();
        const api = run('api', API, [], { HOST: '127.0.0.1', PORT: String(port), ...more });
        const base = `http://127.0.0.1:${port}`;
        const answers = async () => ((await fetch(`${base}/healthz`)).ok ? true : null);
        await waitUntil(answers, { timeoutMs: PATIENCE_MS, what: 'a response of the API' });
        return { child: api, base, port };
      },
      startWorker: (program = 'worker/main.ts', args = [], more = {}) => run('worker', program, args, more),
      stop: async () => {
        await db.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Server = (home: Home, adminUrl: string, log: Log) => Promise<{ address: string; child: Child }>;

function variablesOf(temporalAddress: string, databaseUrl: string): Record<string, string> {
  return {
    PERENNIAL_MODE: 'embedded',
    PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: DEFAULT_NAMESPACE,
    TEMPORAL_TASK_QUEUE: DEFAULT_TASK_QUEUE,
    LOG_LEVEL: 'warn',
  };
}

interface Program {
  name: string;
  program: string;
  args: readonly string[];
  variables: Record<string, string>;
}

function startProgram(home: Home, { name, program, args, variables }: Program): Child {
  return startChild({
    name,
    command: process.execPath,
    args: [join(ROOT, program), ...args],
    env: serviceEnvironment(program === API ? 'api' : 'worker', variables),
    logFile: home.logFile(name),
    stopSignal: 'SIGTERM',
  });
}
