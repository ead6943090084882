import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Database } from '../../db/connect.ts';
import { invoicesOf, wrongOf } from './books.ts';
import { type Herd, makeHerd } from './herd.ts';

export interface Result {
  name: string;
  size: number;
  /** from the instant due (or the sweep's beginning) to the last invoice */
  seconds: number;
  perSecond: number;
  wrong: number;
  missing: number;
  /** seconds behind the instant, 99 of 100 contracts */
  invoiceLag?: number;
  timerLag?: number;
  workerMegabytes?: number;
  serverMegabytes?: number;
}

export interface Processes {
  worker: number;
  server: number;
}

const LOOK_EVERY = 20;
/** Workflows started a second, with room to spare on a machine that does other things too. */
const READY_PER_SECOND = 5;
const PATIENCE = 300_000;

/** A herd that falls due at one instant, with a workflow for each: how long until each has its invoice, and its next timer. */
export async function rollOver(name: string, db: Database, client: Client, size: number, pids: Processes): Promise<Result> {
  const herd = await makeHerd(db, size, Date.now() + 30_000 + (size / READY_PER_SECOND) * 1_000);
  await whenAsleep(db, herd);
  const { last, p99 } = await untilInvoiced(db, herd);
  const timerLag = await timersBehind(client, herd);
  const seconds = (last - herd.dueAt) / 1000;
  return {
    name,
    size,
    seconds,
    perSecond: size / seconds,
    ...(await wrongOf(db, herd)),
    invoiceLag: (p99 - herd.dueAt) / 1000,
    timerLag,
    workerMegabytes: await megabytes(pids.worker),
    serverMegabytes: await megabytes(pids.server),
  };
}

/** All signed, started and waiting before the instant comes; otherwise the run says nothing. */
async function whenAsleep(db: Database, { vendorId, dueAt, ids }: Herd): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ n: string; wishes: string }>(
      `select (select count(*) from contract where vendor_id = $1 and status = 'active')::text as n,
         (select count(*) from wish where delivered_at is null)::text as wishes`,
      [vendorId],
    );
    if (Number(row?.n) === ids.length && row?.wishes === '0') break;
    if (Date.now() > dueAt - 5_000) throw new Error(`only ${row?.n} of ${ids.length} contracts were ready in time`);
    await pause(200);
  }
  while (Date.now() < dueAt) await pause(Math.min(LOOK_EVERY, dueAt - Date.now()));
}

async function untilInvoiced(db: Database, herd: Herd): Promise<{ last: number; p99: number }> {
  const most = Math.ceil(herd.ids.length * 0.99);
  for (let p99 = 0; ; ) {
    const made = await invoicesOf(db, herd);
    const now = Date.now();
    if (p99 === 0 && made >= most) p99 = now;
    if (made >= herd.ids.length) return { last: now, p99 };
    if (now > herd.dueAt + PATIENCE) throw new Error(`${made} of ${herd.ids.length} invoices after ${PATIENCE / 1000} s`);
    await pause(LOOK_EVERY);
  }
}

/** Seconds from the instant to the next timer of 99 of 100 workflows, as their histories tell. */
async function timersBehind(client: Client, { ids, dueAt }: Herd): Promise<number> {
  const lags: number[] = [];
  for (let from = 0; from < ids.length; from += 20) {
    lags.push(...(await Promise.all(ids.slice(from, from + 20).map((id) => timerOf(client, id, dueAt)))));
  }
  lags.sort((a, b) => a - b);
  return (lags[Math.ceil(lags.length * 0.99) - 1] ?? 0) / 1000;
}

async function timerOf(client: Client, id: string, dueAt: number): Promise<number> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; await pause(500)) {
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    const armed = (events ?? [])
      .filter((event) => event.timerStartedEventAttributes != null)
      .map(({ eventTime }) => Number(eventTime?.seconds ?? 0) * 1000 + Math.floor((eventTime?.nanos ?? 0) / 1e6))
      .find((at) => at >= dueAt);
    if (armed !== undefined) return armed - dueAt;
  }
  throw new Error(`${id} has no next timer`);
}

async function megabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
