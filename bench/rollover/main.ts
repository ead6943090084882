import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { DEFAULT_NAMESPACE, loadLaunchConfig } from '../../config/launch.ts';
import type { Child } from '../../local-stack/child.ts';
import type { Home } from '../../local-stack/home.ts';
import { prepareTemporal } from '../../local-stack/temporal.ts';
import { startProduction } from '../production.ts';
import { Bystander } from './bystander.ts';
import { sweep } from './ceiling.ts';
import { makeHerd } from './herd.ts';
import { LoneClock } from './lone-clock.ts';
import { type Result, rollOver } from './measure.ts';
import { print } from './report.ts';

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
const production = await startProduction(path, log, { server: values.dev ? devServer : undefined });
const { db } = production;
try {
  const connection = await Connection.connect({ address: production.temporalAddress });
  const client = new Client({ connection, namespace: DEFAULT_NAMESPACE });
  const { child: api, base } = await production.startApi();
  const takeWorker = (args: readonly string[]): Child => production.startWorker('bench/rollover/worker.ts', args);
  const first = takeWorker([]);
  const bystander = await Bystander.arrive(db, base);
  const clock = await LoneClock.make(db, base);
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
    const children = { postgres: production.postgres, temporal: production.temporal, api };
    const around = { db, client, bystander, clock, children, begin, log };
    const shape = { span: SPANS[name] ?? 0, readyPerSecond: Number(values.ready), isArmed: WORKERS[name]?.length === 1 };
    results.push(await rollOver(name, herd, shape, around));
  }
  bystander.leave();
  if (values.json) for (const result of results) console.log(JSON.stringify(result));
  else print(results);
  console.log(`load ${loadavg().map((load) => load.toFixed(1))}, Temporal ${values.dev ? 'dev server on SQLite' : 'server on Postgres'}`);
  await connection.close();
} finally {
  words?.close();
  process.stdin.destroy();
  await production.stop();
  await rm(path, { recursive: true, force: true });
}

async function whenAsked(name: string): Promise<void> {
  log(`${name}: ready`);
  await lines?.next();
}

async function devServer(home: Home) {
  const config = loadLaunchConfig({ PATH: process.env.PATH, PERENNIAL_CACHE: process.env.PERENNIAL_CACHE, PERENNIAL_HOME: path });
  const { address, start } = await prepareTemporal(home, config, log);
  if (start === null) throw new Error('a server of our own was asked for');
  return { address, child: await start() };
}
