import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { connect, type Database } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';
import { cpuSeconds } from '../api/cpu.ts';
import { sweep } from './ceiling.ts';
import { makeHerd } from './herd.ts';

// `node bench/rollover/cost.ts --contracts 2000 --rounds 3`: the sweep alone, and what a rollover costs: microseconds
// of a processor hardly depend on what else the machine is doing. The first round warms up. No Temporal, no API, no
// worker. `--grants 10`: each round a second time, with prepaid credits for every tenth customer. Postgres tidies up
// before each sweep and not during one, so that a sweep doesn't pay for what others left behind
const { values } = parseArgs({
  options: {
    contracts: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    grants: { type: 'string', default: '0' },
  },
});
const size = Number(values.contracts);
const log = (line: string): void => console.error(line);

const path = await mkdtemp(join(tmpdir(), 'perennial-cost-'));
const home = await takeHome(path, log);
const postgres = await preparePostgres(home, log);
const server = await postgres.start();
const address = new URL(postgres.adminUrl);
address.pathname = new URL(postgres.url).pathname;
const admin = new pg.Client({ connectionString: address.href });
await admin.connect();
try {
  const db = await connect({ databaseUrl: postgres.url, databasePool: 4 });
  await migrate(db);
  await admin.query('alter system set autovacuum = off');
  await admin.query('select pg_reload_conf()');
  console.log('| round | invoices/s | Node, µs of a core each | Postgres, µs | wrong | missing |\n| --- | --- | --- | --- | --- | --- |');
  const granted = Number(values.grants);
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    // each is the first of a pair in turn: the tables grow from herd to herd
    const turns = granted === 0 ? [0] : round % 2 === 1 ? [0, granted] : [granted, 0];
    for (const one of turns) console.log(`| ${round}${one > 0 ? `, credits for one in ${one}` : ''} | ${await costOf(db, one)} |`);
  }
  await db.close();
} finally {
  await admin.end();
  await server.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
}

async function costOf(db: Database, granted = 0): Promise<string> {
  const herd = await makeHerd(db, size, { granted });
  let [node, sql] = [process.cpuUsage(), 0];
  const began = async (): Promise<void> => {
    await admin.query('vacuum (analyze)');
    await admin.query('checkpoint');
    sql = (await cpuSeconds(server.pid)) ?? Number.NaN;
    node = process.cpuUsage();
  };
  const { perSecond, wrong, missing, sweepCost } = await sweep(db, herd, {
    began,
    ended: async () => {
      const { user, system } = process.cpuUsage(node);
      return [(user + system) / size, ((((await cpuSeconds(server.pid)) ?? Number.NaN) - sql) * 1e6) / size];
    },
  });
  return [perSecond, ...sweepCost, wrong, missing].map((figure) => figure.toFixed(0)).join(' | ');
}
