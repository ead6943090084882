import { type LaunchConfig, localAddress } from '../config/launch.ts';
import { connect, MIGRATION_LIMITS } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import type { Child } from './child.ts';
import type { Home } from './home.ts';
import { type Log, withProgress } from './log.ts';
import { newPart, type PartName, type StackPart } from './part.ts';
import { anyFreePort, isFree, rememberedPort } from './ports.ts';
import { preparePostgres } from './postgres.ts';
import { launchApi, launchWorker, type StackAddresses, serviceVariables } from './services.ts';
import { prepareTemporal } from './temporal.ts';
import { waitUntil } from './wait.ts';

/** No part loses a server that it still uses. */
const STOP_ORDER: readonly PartName[] = ['api', 'worker', 'temporal', 'postgres'];
const GRACE = { api: 15_000, worker: 30_000, temporal: 15_000, postgres: 30_000 } as const;

export type Stack = StackAddresses & {
  baseUrl: string;
  parts: Partial<Record<PartName, StackPart>>;
  stop(): Promise<void>;
};

export type Introduction = StackAddresses & { baseUrl: string };

type StackOptions = {
  home: Home;
  config: LaunchConfig;
  log: Log;
  restarts: boolean;
  /**
   * Writes down for scripts where everything will be, before the API answers: a script that sees it ready finds the
   * rest.
   */
  introduce?: (to: Introduction) => Promise<void>;
};

/** The parts that run already, so that an interrupted start can be undone. */
export type Running = Partial<Record<PartName, StackPart>>;

/**
 * Postgres and Temporal side by side, then the tables, then worker and API side by side, until the API says that all of
 * it is ready.
 */
export async function startStack({ home, config, log, restarts, introduce }: StackOptions, running: Running = {}): Promise<Stack> {
  await refuseBusyPort(config);
  const part = async (name: PartName, what: string, launch: () => Promise<Child>, isStuck?: () => Promise<boolean>): Promise<void> => {
    // a part that starts after its turn to be stopped would run on
    if (stopped.has(running)) throw new Error(`${name} is not started any more`);
    const made = newPart({ name, launch, isStuck, stopGraceMs: GRACE[name], log, restarts });
    running[name] = made;
    await withProgress(log, what, made.start());
  };
  const database = async (): Promise<string> => {
    const postgres = await preparePostgres(home, log);
    await part('postgres', 'Starting Postgres', postgres.start);
    await withProgress(log, 'Bringing the tables up to date', migrateDatabase(postgres.url, log));
    return postgres.url;
  };
  const temporalServer = async () => {
    const temporal = await prepareTemporal(home, config, log);
    if (temporal.start) await part('temporal', 'Starting Temporal', temporal.start, temporal.isStuck);
    return temporal;
  };
  const [databaseUrl, temporal] = await allOrFirstFailure(database(), temporalServer());
  const addresses: StackAddresses = {
    databaseUrl,
    temporalAddress: temporal.address,
    temporalUi: temporal.ui,
    apiMetricsPort: await rememberedPort(home, 'api_metrics'),
    workerMetricsPort: await rememberedPort(home, 'worker_metrics'),
  };
  const variables = await serviceVariables(home, config, addresses);
  const local = localAddress(config.host, config.port);
  await allOrFirstFailure(
    part('worker', 'Starting the worker', () => launchWorker(home, variables, addresses)),
    (async () => {
      await introduce?.({ ...addresses, baseUrl: config.baseUrl });
      await part('api', 'Starting the API', () => launchApi(home, variables, addresses, local));
    })(),
  );
  await withProgress(log, 'Waiting for the API to be ready', whenReady(local));
  return { ...addresses, baseUrl: config.baseUrl, parts: running, stop: () => stopParts(running) };
}

/** Those that are stopped, or being stopped, for good. */
const stopped = new WeakSet<Running>();

/** Stops what runs, in order; a start that is under way starts nothing more. */
export async function stopParts(running: Running): Promise<void> {
  stopped.add(running);
  for (const name of STOP_ORDER) await running[name]?.stop();
}

async function migrateDatabase(databaseUrl: string, log: Log): Promise<void> {
  const db = await connect({ databaseUrl, databasePool: 2, limits: MIGRATION_LIMITS });
  try {
    const done = await migrate(db);
    if (done.length > 0) log(`Applied ${done.length} migration${done.length === 1 ? '' : 's'}`);
  } finally {
    await db.close();
  }
}

async function whenReady(address: string): Promise<void> {
  const probe = async (): Promise<true | null> => {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    // an API that could sell without Temporal or a worker says `degraded`
    if (response.ok && (JSON.parse(text) as { status: string }).status === 'ready') return true;
    throw new Error(`${response.status} ${text}`);
  };
  await waitUntil(probe, { timeoutMs: 60_000, everyMs: 100, what: `an answer of ${address}/readyz` });
}

async function refuseBusyPort({ port, host }: LaunchConfig): Promise<void> {
  if (await isFree(port, host)) return;
  const another = await anyFreePort();
  throw new Error(`Port ${port} is in use by another program. Choose another one, for instance: PORT=${another} npm start`);
}

/** Waits for both even when one fails, so that nothing is still being started while the rest is stopped. */
async function allOrFirstFailure<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  const [a, b] = await Promise.allSettled([first, second]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  return [a.value, b.value];
}
