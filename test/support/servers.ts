import { join } from 'node:path';
import { homeAt } from '../../local-stack/home.ts';

// Most files only look for the servers: the code that starts them takes long to load and is in start-stack.ts.

/** Where a test finds the servers. */
export type Servers = {
  baseUrl: string;
  databaseUrl: string;
  temporalAddress: string;
  temporalUi: string | null;
  apiMetricsPort: number;
  workerMetricsPort: number;
  /** Folder with the logs of all four. */
  home: string;
};

const FILE = 'servers.json';
const SERVERS_VARIABLE = 'PERENNIAL_TEST_HOME';

export async function publishServers(servers: Servers): Promise<void> {
  await homeAt(servers.home).writeJson(FILE, servers);
  process.env[SERVERS_VARIABLE] = servers.home;
}

/** The servers of this run, started once by the global set-up. */
export async function servers(): Promise<Servers> {
  const home = process.env[SERVERS_VARIABLE];
  if (!home) throw new Error('There are no servers: this test belongs into the project `service` of jest.config.js.');
  return homeAt(home).readJson<Servers>(FILE, {} as Servers);
}

export function logsOf(home: string): string {
  return join(home, 'logs');
}
