import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, type Database } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';
import { deliverEvents } from '../../services/webhook/deliver.ts';
import { createEndpoint } from '../../services/webhook/endpoint.ts';
import { notifyEndpoints } from '../../services/webhook/notify.ts';
import type { Webhooks } from '../../services/webhook/port.ts';
import { openTransport } from '../../services/webhook/transport.ts';
import { makeBodies } from '../../snapshots/event-body.ts';
import { cpuSeconds } from '../api/cpu.ts';
import { sweep } from '../rollover/ceiling.ts';
import { makeHerd } from '../rollover/herd.ts';

// `node bench/webhooks/main.ts --contracts 1000 --pairs 3`: what a herd's rollover costs without an endpoint and with
// one that is open, in turns, and what sending its events costs then: microseconds of a processor. The first pair warms
// up. No Temporal, no API, no worker
const { values } = parseArgs({ options: { contracts: { type: 'string', default: '1000' }, pairs: { type: 'string', default: '3' } } });
const size = Number(values.contracts);
const SECRET = 'the-secret-of-this-measurement-alone';
/** As the worker looks for news. */
const NEWS_EVERY = 500;
const log = (line: string): void => console.error(line);

const path = await mkdtemp(join(tmpdir(), 'perennial-webhooks-'));
const home = await takeHome(path, log);
const postgres = await preparePostgres(home, log);
const server = await postgres.start();
const receiver = spawn(process.execPath, [join(import.meta.dirname, 'receiver.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
const transport = openTransport({ reachesPrivate: true });
const webhooks: Webhooks = {
  transport,
  makeBodies,
  schedule: { pauses: [1_000], giveUpAfter: 60_000 },
  secret: SECRET,
  inUse: () => undefined,
};
try {
  const [port] = (await once(receiver.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${String(port).trim()}/`;
  const db = await connect({ databaseUrl: postgres.url, databasePool: 4 });
  await migrate(db);
  console.log('| endpoint | rollover: Node, µs | Postgres, µs | events | sending one: Node, µs | Postgres, µs | wrong |');
  console.log('|---|--:|--:|--:|--:|--:|--:|');
  for (let pair = 1; pair <= Number(values.pairs); pair += 1)
    for (const isOpen of pair % 2 === 0 ? [true, false] : [false, true]) console.log(await costOf(db, isOpen ? url : null));
  await db.close();
} finally {
  transport.close();
  receiver.kill();
  await server.stop(30_000);
  await home.release();
  await rm(path, { recursive: true, force: true });
}

/** Microseconds of a processor that Node and Postgres take for some work, by its number of things. */
async function meter() {
  const [node, sql] = [process.cpuUsage(), (await cpuSeconds(server.pid)) ?? Number.NaN];
  return async (things: number): Promise<number[]> => {
    const { user, system } = process.cpuUsage(node);
    return [(user + system) / things, ((((await cpuSeconds(server.pid)) ?? Number.NaN) - sql) * 1e6) / things];
  };
}

async function costOf(db: Database, url: string | null): Promise<string> {
  const herd = await makeHerd(db, size);
  const { vendorId } = herd;
  const made =
    url === null
      ? null
      : await db.transaction((tx) => createEndpoint(tx, vendorId, { url, types: [], description: null }, { own: SECRET, now: Date.now() }));
  const stopped = new AbortController();
  let looking: Promise<void> | null = null;
  let end: Awaited<ReturnType<typeof meter>> | null = null;
  const { wrong, missing, sweepCost } = await sweep(db, herd, {
    began: async () => {
      if (made !== null) await readUpToNow(db, made.id);
      looking = made === null ? null : look(db, stopped.signal);
      end = await meter();
    },
    ended: async () => (await end?.(size)) ?? [],
  });
  stopped.abort();
  await looking;
  const [events, ...sending] = made === null ? [0, 0, 0] : await send(db, made.id, vendorId);
  const figures = [...sweepCost, events ?? 0, ...sending, wrong + missing].map((figure) => figure.toFixed(0));
  return `| ${made === null ? 'none' : 'open'} | ${figures.join(' | ')} |`;
}

/** What happened while the herd was made isn't sent. */
async function readUpToNow(db: Database, endpointId: string): Promise<void> {
  await db.query('update webhook_endpoint set read_seq = (select last_value from event_seq_seq) where id = $1', [endpointId]);
}

async function look(db: Database, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await notifyEndpoints(db);
    await pause(NEWS_EVERY, undefined, { signal: stopped }).catch(() => undefined);
  }
}

/** Sends all that the rollover has published. @returns how many events, and what each of them cost */
async function send(db: Database, endpointId: string, vendorId: string): Promise<number[]> {
  const end = await meter();
  for (let isDone = false; !isDone; ) {
    await notifyEndpoints(db);
    const limits = { budgetMs: 60_000, longestMs: 60_000, stopped: new AbortController().signal };
    const standing = await deliverEvents(db, webhooks, endpointId, limits);
    const { settled, last } = await settledNow(db);
    isDone = standing !== null && !standing.hasNews && standing.nextTry === null && settled === last;
  }
  const [count] = await db.query<{ n: string }>('select count(*) as n from webhook_try where endpoint_id = $1', [endpointId]);
  await db.query(`update webhook_endpoint set status = 'deleted' where vendor_id = $1`, [vendorId]);
  const events = Number(count?.n ?? 0);
  return [events, ...(await end(events))];
}

async function settledNow(db: Database): Promise<{ settled: string; last: string }> {
  const [row] = await db.query<{ settled: string; last: string }>(
    'select settled_seq::text as settled, last_value::text as last from event_mark, event_seq_seq',
  );
  return row ?? { settled: '0', last: '1' };
}
