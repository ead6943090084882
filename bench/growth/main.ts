import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect, MIGRATION_LIMITS } from '../../db/connect.ts';
import { homeAt } from '../../local-stack/home.ts';
import { startTestStack } from '../../test/support/start-stack.ts';
import { closeFirstPeriod, measureAll } from './measure.ts';
import { tableOf } from './report.ts';
import { grow, plant, type Size } from './vendor.ts';

// `npm run bench:growth`: vendors of several sizes in one database, the same calls at each in turns. `--sizes` gives
// for each vendor its contracts, their past months (an invoice each), the open events of one feature, and the events
// of all its other contracts together: `1000:9:100:0,10000:9:10000:0`. `--json FILE` keeps the figures for
// `bench/growth/plot.ts`. `--ask`: waits for a line on stdin before the calls, to have the machine to itself
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000:9:100:0,10000:9:10000:0,12000:1:1000000:0' },
    rounds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '60' },
    json: { type: 'string' },
    ask: { type: 'boolean', default: false },
  },
});
const log = (line: string): void => console.error(line);
const sizes = values.sizes.split(',').map((text): Size => {
  const [contracts = 0, months = 0, events = 0, spread = 0] = text.split(':').map(Number);
  return { contracts, months, events, spread };
});

const home = await mkdtemp(join(tmpdir(), 'perennial-growth-'));
const { servers, stop } = await startTestStack(home, log);
// statements over whole tables take minutes
const db = await connect({ databaseUrl: servers.databaseUrl, databasePool: 4, limits: MIGRATION_LIMITS });
try {
  const vendors = [];
  for (const size of sizes) vendors.push(await plant(db, servers.baseUrl, size));
  for (const vendor of vendors) {
    const began = performance.now();
    await grow(db, vendor);
    log(`${JSON.stringify(vendor.size)}: made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  // as autovacuum does in a database that has grown over months
  await db.query('vacuum analyze');
  if (values.ask) {
    log('all rows are written');
    await once(process.stdin, 'data');
    process.stdin.destroy();
  }
  const { children } = await homeAt(home).readJson<{ children: Record<string, { pid: number }> }>('run.json', { children: {} });
  const pids = { api: children.api?.pid ?? 0, postgres: children.postgres?.pid ?? 0 };
  const port = Number(new URL(servers.baseUrl).port);
  const figures = await measureAll(vendors, { port, pids, rounds: Number(values.rounds), requests: Number(values.requests), log });
  console.log(`\nmilliseconds, p50 / p99 (of a processor)\n\n${tableOf(figures)}`);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(figures, null, 1));
  for (const vendor of vendors)
    console.log(`closing a period with ${vendor.size.events} events: ${(await closeFirstPeriod(vendor)).toFixed(2)} s`);
  console.log(`load ${loadavg().map((load) => load.toFixed(1))}`);
} finally {
  await db.close();
  await stop();
  await rm(home, { recursive: true, force: true });
}
