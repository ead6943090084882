import { execFile } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { parse } from 'yaml';
import { type Child, startChild } from '../../local-stack/child.ts';
import type { Home } from '../../local-stack/home.ts';
import type { Log } from '../../local-stack/log.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { waitUntil } from '../../local-stack/wait.ts';
import { registerSearchAttributes } from '../../temporal/search-attributes.ts';

const run = promisify(execFile);
const VERSION = 'v1.31.2';
/** What is installed, and what it is called here. */
const PROGRAMS = { server: 'go.temporal.io/server/cmd/server', sql: 'go.temporal.io/server/cmd/tools/sql' } as const;
const SHARDS = 4;
const COMPOSE = join(import.meta.dirname, '../../docker-compose.yml');
/** Those of docker-compose.yml. */
const DYNAMIC_SETTINGS = join(import.meta.dirname, '../../config/temporal.yaml');
const PERSISTENT = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;

export interface TemporalServer {
  address: string;
  child: Child;
  stop(): Promise<void>;
}

interface Database {
  host: string;
  port: string;
  user: string;
  password: string;
}

const databaseOf = (url: string): Database => {
  const { hostname, port, username, password } = new URL(url);
  return { host: hostname, port, user: username, password };
};

/**
 * The production server on Postgres, two databases of its own beside ours: the server of `npm start` keeps SQLite on
 * one connection.
 */
export async function startTemporal(home: Home, adminUrl: string, log: Log): Promise<TemporalServer> {
  const programs = await findPrograms(log);
  const database = databaseOf(adminUrl);
  const { GOGC, DB } = await settingsOfCompose();
  await makeSchema(programs.sql, DB, database, log);
  const ports: number[] = [];
  for (let i = 0; i < 8; i += 1) ports.push(await anyFreePort());
  const folder = home.file('temporal-config');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'bench.yaml'), configuration(database, DB, ports));
  const child = startChild({
    name: 'temporal',
    command: programs.server,
    args: ['--root', home.path, '--config', 'temporal-config', '--env', 'bench', '--allow-no-auth', 'start'],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', GOGC },
    logFile: home.logFile('temporal'),
    stopSignal: 'SIGTERM',
  });
  const address = `127.0.0.1:${ports[0]}`;
  await whenReady(address, child);
  return { address, child, stop: () => child.stop(20_000) };
}

/**
 * As docker-compose.yml has it: how far the server's heap may grow between two collections, in per cent, and the driver
 * it talks to Postgres with.
 */
async function settingsOfCompose(): Promise<{ GOGC: string; DB: string }> {
  const { services } = parse(await readFile(COMPOSE, 'utf8')) as {
    services: { temporal: { environment: { GOGC: string; DB: string } } };
  };
  return services.temporal.environment;
}

async function findPrograms(log: Log): Promise<Record<keyof typeof PROGRAMS, string>> {
  const folder = join(process.env.PERENNIAL_CACHE ?? join(homedir(), '.cache', 'perennial'), `temporal-server-${VERSION}`);
  await mkdir(folder, { recursive: true });
  for (const [name, module] of Object.entries(PROGRAMS)) {
    const exists = await access(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (exists) continue;
    log(`Building ${module}@${VERSION} with Go, once per machine`);
    await run('go', ['install', `${module}@${VERSION}`], { env: { ...process.env, GOBIN: folder }, maxBuffer: 2 ** 26 });
  }
  return { server: join(folder, 'server'), sql: join(folder, 'sql') };
}

async function makeSchema(tool: string, driver: string, { host, port, user, password }: Database, log: Log): Promise<void> {
  log('Making the databases of Temporal');
  for (const [schema, database] of Object.entries(PERSISTENT)) {
    const common = ['--plugin', driver, '--ep', host, '-p', port, '-u', user, '--pw', password, '--db', database];
    await run(tool, [...common, 'create']);
    await run(tool, [...common, 'setup-schema', '-v', '0.0']);
    await run(tool, [...common, 'update-schema', '--schema-name', `postgresql/v12/${schema}`]);
  }
}

function configuration({ host, port, user, password }: Database, driver: string, ports: readonly number[]): string {
  const store = (database: string, connections: number) => `
      sql:
        pluginName: ${driver}
        databaseName: ${database}
        connectAddr: "${host}:${port}"
        connectProtocol: tcp
        user: ${user}
        password: "${password}"
        maxConns: ${connections}
        maxIdleConns: ${connections}`;
  const services = ['frontend', 'history', 'matching', 'worker'].map(
    (name, index) => `
  ${name}:
    rpc: { grpcPort: ${ports[index]}, membershipPort: ${ports[index + 4]}, bindOnIP: 127.0.0.1 }`,
  );
  return `log: { stdout: true, level: error }
persistence:
  defaultStore: default
  visibilityStore: visibility
  numHistoryShards: ${SHARDS}
  datastores:
    default:${store(PERSISTENT.temporal, 20)}
    visibility:${store(PERSISTENT.visibility, 5)}
global:
  membership: { maxJoinDuration: 30s, broadcastAddress: 127.0.0.1 }
services:${services.join('')}
clusterMetadata:
  enableGlobalNamespace: false
  failoverVersionIncrement: 10
  masterClusterName: active
  currentClusterName: active
  clusterInformation:
    active: { enabled: true, initialFailoverVersion: 1, rpcName: frontend, rpcAddress: "127.0.0.1:${ports[0]}" }
dcRedirectionPolicy: { policy: noop }
archival: { history: { state: disabled }, visibility: { state: disabled } }
publicClient: { hostPort: "127.0.0.1:${ports[0]}" }
dynamicConfigClient: { filepath: "${DYNAMIC_SETTINGS}", pollInterval: 1m }
`;
}

const NAMESPACE = 'default';
const DAY_IN_SECONDS = 86_400;

async function whenReady(address: string, child: Child): Promise<void> {
  const probe = async (): Promise<true> => {
    if (child.ended() !== null) throw new Error(await child.logEnd());
    const connection = await Connection.connect({ address, connectTimeout: '2s' });
    try {
      await connection.workflowService
        .registerNamespace({ namespace: NAMESPACE, workflowExecutionRetentionPeriod: { seconds: DAY_IN_SECONDS } as never })
        .catch((error: { code?: number }) => {
          const exists = 6;
          if (error.code !== exists) throw error;
        });
      await registerSearchAttributes(connection, NAMESPACE);
      await connection.workflowService.describeNamespace({ namespace: NAMESPACE });
    } finally {
      await connection.close();
    }
    return true;
  };
  await waitUntil(probe, { timeoutMs: 120_000, everyMs: 500, what: `a response of the Temporal server at ${address}` });
}
