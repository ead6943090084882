import { Connection } from '@temporalio/client';
import { childEnvironment, type LaunchConfig } from '../config/launch.ts';
import { registerSearchAttributes, SEARCH_ATTRIBUTES } from '../temporal/search-attributes.ts';
import { type Child, startChild } from './child.ts';
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
};

/** Prepares a real Temporal server with its UI and its data in the home, or uses the one TEMPORAL_ADDRESS names. */
export async function prepareTemporal(home: Home, config: LaunchConfig, log: Log): Promise<TemporalServer> {
  if (config.temporalAddress !== null) {
    await whenAnswering(config.temporalAddress, config.temporalNamespace, () => null);
    return { address: config.temporalAddress, ui: null, start: null };
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
    await whenAnswering(address, config.temporalNamespace, () => child);
    return child;
  };
  return { address, ui: `http://127.0.0.1:${uiPort}`, start };
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
