import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { childEnvironment, DEFAULT_NAMESPACE, DEFAULT_TASK_QUEUE, loadLaunchConfig } from '../../config/launch.ts';
import { connect } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { type Child, startChild } from '../../embedded/child.ts';
import { takeHome } from '../../embedded/home.ts';
import { preparePostgres } from '../../embedded/postgres.ts';
import { prepareTemporal } from '../../embedded/temporal.ts';
import { sweep } from './ceiling.ts';
import { type Result, rollOver } from './measure.ts';
import { startTemporal } from './temporal.ts';

// `npm run bench:rollover -- --contracts 1000`; `--dev` measures on the server of `npm start` where Go is not at hand
const { values } = parseArgs({ options: { contracts: { type: 'string', default: '1000' }, dev: { type: 'boolean', default: false } } });
const size = Number(values.contracts);
const log = (line: string): void => console.error(line);

const path = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const home = await takeHome(path, log);
const children: Child[] = [];
try {
  const postgres = await preparePostgres(home, log);
  const cluster = await postgres.start();
  const db = await connect({ databaseUrl: postgres.url, databasePool: 4 });
  await migrate(db);
  children.push(cluster);
  const server = values.dev ? await devServer() : await startTemporal(home, postgres.url, log);
  children.push(server.child);
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection, namespace: DEFAULT_NAMESPACE });

  const results: Result[] = [await sweep(db, size)];
  for (const [name, args] of [
    ['workflows, who wakes first carries the others', []],
    ['workflows, each rolls over its own contract', ['--alone']],
  ] as const) {
    const worker = startWorker(server.address, postgres.url, args);
    children.push(worker);
    results.push(await rollOver(name, db, client, size, { worker: worker.pid, server: server.child.pid }));
    await worker.stop(30_000);
  }
  console.table(results.map(rounded));
  console.log(`load ${loadavg().map((load) => load.toFixed(1))}, Temporal ${values.dev ? 'dev server on SQLite' : 'server on Postgres'}`);
  await connection.close();
  await db.close();
} finally {
  for (const child of children.reverse()) await child.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
}

async function devServer() {
  const config = loadLaunchConfig({ PATH: process.env.PATH, PERENNIAL_CACHE: process.env.PERENNIAL_CACHE, PERENNIAL_HOME: path });
  const { address, start } = await prepareTemporal(home, config, log);
  if (start === null) throw new Error('a server of our own was asked for');
  return { address, child: await start() };
}

function startWorker(temporalAddress: string, databaseUrl: string, args: readonly string[]): Child {
  return startChild({
    name: 'worker',
    command: process.execPath,
    args: [join(import.meta.dirname, 'worker.ts'), ...args],
    env: childEnvironment({
      PERENNIAL_MODE: 'embedded',
      PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef',
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: DEFAULT_NAMESPACE,
      TEMPORAL_TASK_QUEUE: DEFAULT_TASK_QUEUE,
    }),
    logFile: home.logFile('worker'),
    stopSignal: 'SIGTERM',
  });
}

function rounded(result: Result): Record<string, string | number> {
  const two = (value: number): number => Math.round(value * 100) / 100;
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, typeof value === 'number' ? two(value) : value]));
}
