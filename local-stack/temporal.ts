import { childEnvironment, type LaunchConfig } from '../config/launch.ts';
import type { Server } from '../temporal/client.ts';
import { prepareNamespace } from '../temporal/health.ts';
import { isInterrupted } from '../temporal/interrupted.ts';
import { SEARCH_ATTRIBUTES } from '../temporal/search-attributes.ts';
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
  const namespace = config.temporalNamespace;
  if (config.temporalAddress !== null) {
    await whenAnswering({ address: config.temporalAddress, namespace }, () => null);
    return { address: config.temporalAddress, ui: null, start: null, isStuck: async () => false };
  }
  const program = await findTemporal({ ...config, log });
  const port = await rememberedPort(home, 'temporal');
  const uiPort = await rememberedPort(home, 'temporal_ui');
  const server = { address: `127.0.0.1:${port}`, namespace };
  const start = async (): Promise<Child> => {
    const child = startChild({
      name: 'temporal',
      command: program,
      args: serverArguments(home, namespace, port, uiPort),
      env: childEnvironment({}),
      logFile: home.logFile('temporal'),
      stopSignal: 'SIGTERM',
    });
    await home.noteChild('temporal', child.pid, child.stopSignal);
    return onceAnswering(
      child,
      whenAnswering(server, () => child),
    );
  };
  return { address: server.address, ui: `http://127.0.0.1:${uiPort}`, start, isStuck: () => isInterrupted(server) };
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

async function whenAnswering(server: Server, child: () => Child | null): Promise<void> {
  const probe = async (): Promise<true> => {
    const ended = child()?.ended() ?? null;
    if (ended !== null) throw new GiveUp(`Temporal did not start (${ended}):\n${await child()?.logEnd()}`);
    await prepareNamespace(server);
    return true;
  };
  await waitUntil(probe, { timeoutMs: START_TIMEOUT, what: `an answer of the Temporal server at ${server.address}` });
}
