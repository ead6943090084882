import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Database } from '../../db/connect.ts';
import type { Child } from '../../embedded/child.ts';
import { invoicesOf, wrongOf } from './books.ts';
import type { Bystander, Latency } from './bystander.ts';
import { fallDue, type Herd } from './herd.ts';
import { timersBehind, whenAsleep, whenRearmed } from './timers.ts';

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
  /** workflows given their first timer in a second, before the instant */
  readyPerSecond?: number;
  /** the API before the instant, while invoices are written, and until the last workflow has its next timer */
  api?: { before: Latency; writing: Latency; waking: Latency };
}

/** What a run needs: everything but the worker. */
export interface Surroundings {
  db: Database;
  client: Client;
  bystander: Bystander;
  server: Child;
  /** starts the worker */
  begin(): Child;
  log(line: string): void;
}

const LOOK_EVERY = 20;
const PATIENCE = 300_000;
/** The API alone with sleeping workflows. */
const CALM = 12_000;
/** For signs of the first period to be written and the last stragglers to fall asleep. */
const MARGIN = 20_000;

/** A herd that falls due at one instant, with a workflow for each: how long until each has its invoice, and its next timer. */
export async function rollOver(name: string, herd: Herd, readyPerSecond: number, around: Surroundings): Promise<Result> {
  const { db, client, bystander, server, log } = around;
  const size = herd.ids.length;
  const began = Date.now();
  await fallDue(db, herd, began + Math.ceil(size / readyPerSecond) * 1_000 + MARGIN);
  const worker = around.begin();
  log(`${name}: ${size} contracts fall due at ${new Date(herd.dueAt).toISOString()}`);
  await whenAsleep(client, herd, CALM);
  const asleep = Date.now();
  log(`${name}: all asleep after ${(asleep - began) / 1000} s`);
  while (Date.now() < herd.dueAt - CALM) await pause(LOOK_EVERY);
  bystander.begin();
  while (Date.now() < herd.dueAt) await pause(LOOK_EVERY);
  const { last, p99 } = await untilInvoiced(db, herd);
  const rearmed = await whenRearmed(client, herd);
  const { dueAt } = herd;
  const api = {
    before: bystander.between(dueAt - CALM + 2_000, dueAt),
    writing: bystander.between(dueAt, last),
    waking: bystander.between(last, rearmed),
  };
  bystander.pause();
  log(`${name}: measured`);
  const seconds = (last - dueAt) / 1000;
  const result = {
    name,
    size,
    seconds,
    perSecond: size / seconds,
    ...(await wrongOf(db, herd)),
    invoiceLag: (p99 - dueAt) / 1000,
    timerLag: await timersBehind(client, herd),
    workerMegabytes: await megabytes(worker.pid),
    serverMegabytes: await megabytes(server.pid),
    readyPerSecond: (size / (asleep - began)) * 1_000,
    api,
  };
  await worker.stop(30_000);
  return result;
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

async function megabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
