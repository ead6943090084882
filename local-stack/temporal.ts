import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { childEnvironment, type LaunchConfig } from '../config/launch.ts';
import { registerSearchAttributes, SEARCH_ATTRIBUTES } from '../temporal/search-attributes.ts';
import { type Child, onceAnswering, startChild } from './child.ts';
import type { Home } from './home.ts';
import type { Log } from './log.ts';
import { rememberedPort } from './ports.ts';
import { findTemporal } from './temporal-program.ts';
import { GiveUp, waitUntil } from './wait.ts';

const START_TIMEOUT = 60_000;

export type TemporalServer = {
  address: string;
  /** Web address of the UI; null for a server that is not ours. */
  ui: string | null;
  /** Starts it (again, after a crash) on the same ports and data; null for a server that is not ours. */
  start: (() => Promise<Child>) | null;
  /** Whether its database refuses everything until it is started again. */
  isStuck: () => Promise<boolean>;
};

/** Prepares a real Temporal server with its UI and its data in the home, or uses the one TEMPORAL_ADDRESS names. */
export async function prepareTemporal(home: Home, config: LaunchConfig, log: Log): Promise<TemporalServer> {
  if (config.temporalAddress !== null) {
    await whenAnswering(config.temporalAddress, config.temporalNamespace, () => null);
    return { address: config.temporalAddress, ui: null, start: null, isStuck: async () => false };
  }
  const program = await findTemporal({ ...config, log });
  const port = await rememberedPort(home, 'temporal');
  const uiPort = await rememberedPort(home, 'temporal_ui');
  const address = `127.0.0.1:${port}`;
  const start = async (): Promise<Child> => {
    const child = startChild({
      name: 'temporal',
      command: program,
      args: serverArguments(home, config.temporalNamespace, port, uiPort),
      env: childEnvironment({}),
      logFile: home.logFile('temporal'),
      stopSignal: 'SIGTERM',
    });
    await home.noteChild('temporal', child.pid, child.stopSignal);
    return onceAnswering(
      child,
      whenAnswering(address, config.temporalNamespace, () => child),
    );
  };
  return { address, ui: `http://127.0.0.1:${uiPort}`, start, isStuck: () => isInterrupted(address, config.temporalNamespace) };
}

function serverArguments(home: Home, namespace: string, port: number, uiPort: number): string[] {
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]);
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', home.file('temporal.db'), '--namespace', namespace, '--log-level', 'error'],
    // tasks of a higher priority first: the default of later servers
    ...['--dynamic-config-value', 'matching.useNewMatcher=true'],
    ...attributes,
  ];
}

async function whenAnswering(address: string, namespace: string, child: () => Child | null): Promise<void> {
  const probe = async (): Promise<true> => {
    const ended = child()?.ended() ?? null;
    if (ended !== null) throw new GiveUp(`Temporal did not start (${ended}):\n${await child()?.logEnd()}`);
    const connection = await Connection.connect({ address, connectTimeout: '1s' });
    try {
      await connection.workflowService.describeNamespace({ namespace });
      await registerSearchAttributes(connection, namespace);
    } finally {
      await connection.close();
    }
    return true;
  };
  await waitUntil(probe, { timeoutMs: START_TIMEOUT, what: `an answer of the Temporal server at ${address}` });
}

/** What SQLite's driver in the server answers on a connection that was interrupted. */
const INTERRUPTED = 'interrupted (9)';
const LOOK_DEADLINE = 3_000;
const LOOKS = 3;
const BETWEEN_LOOKS = 100;

/**
 * Whether the server's only connection to its database stays interrupted: a request that is given up at the wrong
 * moment may leave it so, and from then on everything is refused, although nothing is lost. A look alone may have been
 * interrupted with another request.
 */
export async function isInterrupted(address: string, namespace: string): Promise<boolean> {
  // without those that try again: the refusal itself is of interest
  const connection = Connection.lazy({ address, interceptors: [] });
  try {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await pause(BETWEEN_LOOKS);
      const refusal = await connection
        .withDeadline(Date.now() + LOOK_DEADLINE, () => connection.workflowService.describeNamespace({ namespace }))
        .then(() => '', String);
      if (!refusal.includes(INTERRUPTED)) return false;
    }
    return true;
  } finally {
    await connection.close();
  }
}
