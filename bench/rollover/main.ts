import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { childEnvironment, DEFAULT_NAMESPACE, DEFAULT_TASK_QUEUE, loadLaunchConfig } from '../../config/launch.ts';
import { connect } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { type Child, startChild } from '../../local-stack/child.ts';
import { takeHome } from '../../local-stack/home.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';
import { prepareTemporal } from '../../local-stack/temporal.ts';
import { waitUntil } from '../../local-stack/wait.ts';
import { Bystander } from './bystander.ts';
import { sweep } from './ceiling.ts';
import { makeHerd } from './herd.ts';
import { type Result, rollOver } from './measure.ts';
import { print } from './report.ts';
import { startTemporal } from './temporal.ts';

// `npm run bench:rollover -- --contracts 1000`. `--runs sweep,spread`: only some of them. `--json`: the results as one
// line each, for programs. `--ready 40`: workflows this machine starts in a second. `--ask`: waits for a line on stdin
// before each run, to have the machine to itself. `--dev`: the server of `npm start`, where Go is not installed
const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: '1000' },
    runs: { type: 'string', default: 'sweep,spread,minute,together,alone' },
    ready: { type: 'string', default: '30' },
    ask: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    dev: { type: 'boolean', default: false },
  },
});
const size = Number(values.contracts);
const log = (line: string): void => console.error(line);
const words = values.ask ? createInterface(process.stdin) : null;
const lines = words?.[Symbol.asyncIterator]();
/**
 * The worker's arguments for each run with workflows, and the milliseconds over which contracts fall due where it isn't
 * one instant.
 */
const WORKERS: Record<string, string[]> = { spread: [], minute: [], together: ['--together'], alone: ['--alone'] };
const SPANS: Record<string, number> = { minute: 60_000 };

const path = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const home = await takeHome(path, log);
const children: Child[] = [];
try {
  const postgres = await preparePostgres(home, log);
  const database = await postgres.start();
  children.push(database);
  const db = await connect({ databaseUrl: postgres.url, databasePool: 4 });
  await migrate(db);
  const server = values.dev ? await devServer() : await startTemporal(home, postgres.adminUrl, log);
  children.push(server.child);
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection, namespace: DEFAULT_NAMESPACE });
  const environment = environmentOf(server.address, postgres.url);
  const port = await anyFreePort();
  const api = start('api', join('..', '..', 'api', 'main.ts'), [], { ...environment, HOST: '127.0.0.1', PORT: String(port) });
  children.push(api);
  const base = `http://127.0.0.1:${port}`;
  await waitUntil(async () => ((await fetch(`${base}/healthz`)).ok ? true : null), { timeoutMs: 30_000, what: 'a response of the API' });

  const takeWorker = (args: readonly string[]): Child => {
    const worker = start('worker', 'worker.ts', args, environment);
    children.push(worker);
    return worker;
  };
  const first = takeWorker([]);
  const bystander = await Bystander.arrive(db, base);
  await first.stop(30_000);

  const results: Result[] = [];
  for (const name of values.runs.split(',')) {
    const herd = await makeHerd(db, size);
    await whenAsked(name);
    if (name === 'sweep') {
      results.push(await sweep(db, herd));
      continue;
    }
    const begin = (): Child => takeWorker(WORKERS[name] ?? []);
    const around = { db, client, bystander, children: { postgres: database, temporal: server.child, api }, begin, log };
    results.push(await rollOver(name, herd, { span: SPANS[name] ?? 0, readyPerSecond: Number(values.ready) }, around));
  }
  bystander.leave();
  if (values.json) for (const result of results) console.log(JSON.stringify(result));
  else print(results);
  console.log(`load ${loadavg().map((load) => load.toFixed(1))}, Temporal ${values.dev ? 'dev server on SQLite' : 'server on Postgres'}`);
  await connection.close();
  await db.close();
} finally {
  words?.close();
  process.stdin.destroy();
  for (const child of children.reverse()) await child.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
}

async function whenAsked(name: string): Promise<void> {
  log(`${name}: ready`);
  await lines?.next();
}

async function devServer() {
  const config = loadLaunchConfig({ PATH: process.env.PATH, PERENNIAL_CACHE: process.env.PERENNIAL_CACHE, PERENNIAL_HOME: path });
  const { address, start: startServer } = await prepareTemporal(home, config, log);
  if (startServer === null) throw new Error('a server of our own was asked for');
  return { address, child: await startServer() };
}

function environmentOf(temporalAddress: string, databaseUrl: string): Record<string, string> {
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

function start(name: string, file: string, args: readonly string[], variables: Record<string, string>): Child {
  return startChild({
    name,
    command: process.execPath,
    args: [join(import.meta.dirname, file), ...args],
    env: childEnvironment(variables),
    logFile: home.logFile(name),
    stopSignal: 'SIGTERM',
  });
}
