import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, type Database } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { migrate } from '../../db/migrate.ts';
import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';
import { billLane } from '../../services/bill-run/bill-lane.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { cpuSeconds } from '../api/cpu.ts';
import { fallDue, type Herd, makeHerd } from './herd.ts';

// `node bench/rollover/thresholds.ts --contracts 150 --rounds 4`: what a bill run costs where usage closes, without an
// invoice threshold, with one that isn't reached, and behind two early invoices; microseconds of a processor for each
// contract. The first round warms up. No Temporal, no API, no worker
const { values } = parseArgs({ options: { contracts: { type: 'string', default: '150' }, rounds: { type: 'string', default: '4' } } });
const size = Number(values.contracts);
const log = (line: string): void => console.error(line);
/** 13 units of 1.00 in three events: two of them reach a threshold of 5.00, and 3.00 are left. */
const EVENTS = ['5', '5', '3'];
const KINDS: { name: string; threshold: string | null; early: number }[] = [
  { name: 'no threshold', threshold: null, early: 0 },
  { name: 'not reached', threshold: '1000.00', early: 0 },
  { name: 'two early invoices', threshold: '5.00', early: 2 },
];
/** Milliseconds: time to report the usage before the boundary, and longer than any bill run takes. */
const [AHEAD, PATIENCE] = [10_000 + size * 100, 600_000];
const LANES = 2;
/** Customers whose usage is reported together: what waits too long for a connection is refused. */
const AT_ONCE = 16;

const path = await mkdtemp(join(tmpdir(), 'perennial-cost-'));
const home = await takeHome(path, log);
const postgres = await preparePostgres(home, log);
const server = await postgres.start();
try {
  const db = await connect({ databaseUrl: postgres.url, databasePool: 4 });
  await migrate(db);
  console.log('| round | invoices before | Node, µs of a core each | Postgres, µs | wrong |\n| --- | --- | --- | --- | --- |');
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    // each is the first in turn: the tables grow from herd to herd
    const turns = KINDS.map((_, at) => KINDS[(at + round) % KINDS.length]);
    for (const kind of turns) if (kind !== undefined) console.log(`| ${round}, ${kind.name} | ${await costOf(db, kind)} |`);
  }
  await db.close();
} finally {
  await server.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
}

async function costOf(db: Database, { threshold, early }: (typeof KINDS)[number]): Promise<string> {
  const herd = await makeHerd(db, size, { metered: { threshold } });
  await fallDue(db, herd, Date.now() + AHEAD);
  await reportUsage(db, herd);
  const before = await invoicesOf(db, herd);
  if (Date.now() >= herd.dueAt) throw new Error(`the usage of ${size} contracts wasn't reported in time: give fewer`);
  await setTimeout(herd.dueAt - Date.now() + 100);
  const [node, sql] = [process.cpuUsage(), (await cpuSeconds(server.pid)) ?? Number.NaN];
  await Promise.all(Array.from({ length: LANES }, (_, lane) => billLane(db, { lane, lanes: LANES, after: null }, PATIENCE)));
  const { user, system } = process.cpuUsage(node);
  const figures = [(user + system) / size, ((((await cpuSeconds(server.pid)) ?? Number.NaN) - sql) * 1e6) / size];
  const after = await invoicesOf(db, herd);
  // the first period, the early ones and the next period: 40.00 twice and 13.00
  const wrong = after.filter(({ count, total }) => Number(count) !== 2 + early || Number(total) !== 93).length + size - after.length;
  await db.query('delete from outbox where sent < wanted');
  await db.query('delete from agenda where vendor_id = $1', [herd.vendorId]);
  return [before.reduce((sum, { count }) => sum + Number(count), 0), ...figures, wrong].map((figure) => figure.toFixed(0)).join(' | ');
}

async function reportUsage(db: Database, { vendorId, ids }: Herd): Promise<void> {
  const [key] = await db.query<{ id: string }>('select id from api_key where vendor_id = $1', [vendorId]);
  const customers = await db.query<{ id: string }>('select customer_id as id from contract where id = any($1::text[])', [ids]);
  const intake = new UsageIntake(db);
  const rest = { slug: 'calls', vendorId, keyId: key?.id ?? '', isAbsolute: false, metadata: {}, timestamp: null };
  const event = (customerId: string, units: string) => ({ ...rest, units, id: newId('Evt'), customerId, idempotencyKey: null });
  for (const units of EVENTS) {
    for (let from = 0; from < customers.length; from += AT_ONCE) {
      const some = customers.slice(from, from + AT_ONCE).map(({ id }) => ({ ...event(id, units), allowCorrection: false }));
      for (const one of await intake.report(some)) if ('error' in one) throw one.error;
    }
  }
}

function invoicesOf(db: Database, { ids }: Herd): Promise<{ count: string; total: string }[]> {
  return db.query('select count(*) as count, sum(total) as total from invoice where contract_id = any($1::text[]) group by contract_id', [
    ids,
  ]);
}
