import { join } from 'node:path';
import { type LaunchConfig, serviceEnvironment } from '../config/launch.ts';
import { connectWithin } from '../temporal/client.ts';
import { askingForWork } from '../temporal/health.ts';
import { type Child, onceAnswering, startChild } from './child.ts';
import type { Home } from './home.ts';
import { GiveUp, waitUntil } from './wait.ts';

const ROOT = join(import.meta.dirname, '..');
/** Cached compiled code: later starts need half the computing time. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'perennial', 'compiled');
const START_TIMEOUT = 120_000;

/** Where the parts reach each other. */
export type StackAddresses = {
  databaseUrl: string;
  temporalAddress: string;
  temporalUi: string | null;
  apiMetricsPort: number;
  workerMetricsPort: number;
};

/** The variables of the API and the worker: the same as in a production set-up. */
export async function serviceVariables(home: Home, config: LaunchConfig, addresses: StackAddresses): Promise<Record<string, string>> {
  return {
    PERENNIAL_MODE: 'embedded',
    PERENNIAL_SECRET: config.secret ?? (await home.savedSecret('secret')),
    DATABASE_URL: addresses.databaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: config.temporalNamespace,
    TEMPORAL_TASK_QUEUE: config.temporalTaskQueue,
    TEMPORAL_UI: addresses.temporalUi ?? '',
    HOST: config.host,
    // metrics are for this machine alone, even where the API is open to others
    METRICS_HOST: '127.0.0.1',
    PORT: String(config.port),
    BASE_URL: config.baseUrl,
  };
}

/** Resolves when the API answers, which may be before it is ready. */
export async function launchApi(home: Home, variables: Record<string, string>, addresses: StackAddresses, address: string): Promise<Child> {
  const child = await launchNode(home, 'api', { ...variables, METRICS_PORT: String(addresses.apiMetricsPort) });
  return onceAnswering(
    child,
    whenTrue(child, 'the start of the API', async () => (await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2_000) })).ok),
  );
}

/** Resolves when Temporal lists this process among those that poll for work. */
export async function launchWorker(home: Home, variables: Record<string, string>, addresses: StackAddresses): Promise<Child> {
  const child = await launchNode(home, 'worker', { ...variables, METRICS_PORT: String(addresses.workerMetricsPort) });
  return onceAnswering(child, whenPolling(child, variables, addresses));
}

async function whenPolling(child: Child, variables: Record<string, string>, { temporalAddress }: StackAddresses): Promise<void> {
  const connection = await connectWithin(temporalAddress, '10s');
  const { TEMPORAL_NAMESPACE: namespace = '', TEMPORAL_TASK_QUEUE: taskQueue = '' } = variables;
  const isPolling = async (): Promise<boolean> =>
    (await askingForWork(connection, namespace, taskQueue)).some((identity) => identity.startsWith(`${child.pid}@`));
  try {
    await whenTrue(child, 'the start of the worker', isPolling);
  } finally {
    await connection.close();
  }
}

async function launchNode(home: Home, name: 'api' | 'worker', variables: Record<string, string>): Promise<Child> {
  const child = startChild({
    name,
    command: process.execPath,
    args: [join(ROOT, name, 'main.ts')],
    env: serviceEnvironment(name, { NODE_COMPILE_CACHE: COMPILE_CACHE, ...variables }),
    logFile: home.logFile(name),
    stopSignal: 'SIGTERM',
  });
  await home.noteChild(name, child.pid, child.stopSignal);
  return child;
}

async function whenTrue(child: Child, what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const probe = async (): Promise<true | null> => {
    const ended = child.ended();
    if (ended !== null) throw new GiveUp(`The ${child.name} did not start (${ended}):\n${await child.logEnd()}`);
    return (await isTrue()) ? true : null;
  };
  await waitUntil(probe, { timeoutMs: START_TIMEOUT, everyMs: 100, what });
}
