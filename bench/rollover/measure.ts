import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Database } from '../../db/connect.ts';
import type { Child } from '../../local-stack/child.ts';
import { cpuSeconds } from '../api/cpu.ts';
import { invoicesOf, wrongOf } from './books.ts';
import type { Bystander, Latency } from './bystander.ts';
import { boundaryOf, fallDue, type Herd } from './herd.ts';
import type { LoneClock } from './lone-clock.ts';
import { armAll, timersBehind, whenRearmed, whenStarted } from './timers.ts';

export interface Result {
  name: string;
  size: number;
  /** from the first boundary (or the sweep's beginning) to the last invoice */
  seconds: number;
  perSecond: number;
  wrong: number;
  missing: number;
  /** seconds after the boundary, 99 of 100 contracts */
  invoiceLag?: number;
  timerLag?: number;
  /** seconds that somebody else's test clock takes for an hour without a charge, while the herd wakes */
  clockSeconds?: number;
  workerMegabytes?: number;
  serverMegabytes?: number;
  /** workflows given their first timer in a second, before the boundaries */
  readyPerSecond?: number;
  /** the API before the boundaries, while invoices are written, and until the last workflow has its next timer */
  api?: { before: Latency; writing: Latency; waking: Latency };
  /**
   * milliseconds of a processor for each contract, by part, from the first boundary to the last invoice and to the last
   * next timer
   */
  cost?: { toInvoice: Cost; toTimer: Cost };
}

type Cost = Record<string, number>;

/** What a run needs: everything but the worker. */
export interface Surroundings {
  db: Database;
  client: Client;
  bystander: Bystander;
  clock: LoneClock;
  /** by name; `temporal` is the server */
  children: Record<'postgres' | 'temporal' | 'api', Child>;
  /** starts the worker */
  begin(): Child;
  log(line: string): void;
}

const LOOK_EVERY = 20;
const PATIENCE = 300_000;
/** Milliseconds behind the boundary at which a test clock is advanced. */
const BEHIND = 500;
/** The API alone with sleeping workflows. */
const CALM = 12_000;
/** For signs of the first period to be written and the last stragglers to fall asleep. */
const MARGIN = 20_000;

export interface Shape {
  /** milliseconds over which the boundaries are spread */
  span: number;
  readyPerSecond: number;
  /** each workflow looks before its instant and sets a timer of its own; otherwise its start waits in Temporal */
  isArmed: boolean;
}

/** A herd that falls due, with a workflow for each: how long until each has its invoice, and its next timer. */
export async function rollOver(name: string, herd: Herd, shape: Shape, around: Surroundings): Promise<Result> {
  const { db, client, bystander, children, log } = around;
  const size = herd.ids.length;
  const { worker, seconds: readied } = await lieInWait(name, herd, shape, around);
  const used = await meterOf({ ...children, worker }, size);
  const clock = clockBehind(around.clock);
  const { last, p99 } = await untilInvoiced(db, herd);
  const toInvoice = await used();
  const rearmed = await whenRearmed(client, herd);
  const toTimer = await used();
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
    invoiceLag: p99 / 1000,
    timerLag: await timersBehind(client, herd),
    clockSeconds: await clock,
    workerMegabytes: await megabytes(worker.pid),
    serverMegabytes: await megabytes(children.temporal.pid),
    readyPerSecond: size / readied,
    api,
    cost: { toInvoice, toTimer },
  };
  await worker.stop(30_000);
  return result;
}

/** A clock that is advanced right behind the instant, when the herd's tasks are there already. */
async function clockBehind(clock: LoneClock): Promise<number> {
  await pause(BEHIND);
  return clock.advance();
}

/** Has all workflows asleep before the first boundary, and returns when that has come. */
async function lieInWait(name: string, herd: Herd, { span, readyPerSecond, isArmed }: Shape, around: Surroundings) {
  const { db, client, bystander, log } = around;
  const began = Date.now();
  await fallDue(db, herd, began + Math.ceil(herd.ids.length / readyPerSecond) * 1_000 + MARGIN, span);
  const worker = around.begin();
  log(`${name}: ${herd.ids.length} contracts fall due from ${new Date(herd.dueAt).toISOString()} on`);
  await whenStarted(client, herd, CALM);
  if (isArmed) await armAll(client, herd, CALM);
  const seconds = (Date.now() - began) / 1000;
  log(`${name}: all asleep after ${seconds} s`);
  while (Date.now() < herd.dueAt - CALM) await pause(LOOK_EVERY);
  bystander.begin();
  while (Date.now() < herd.dueAt) await pause(LOOK_EVERY);
  return { worker, seconds };
}

/**
 * When the last invoice was written, and how many milliseconds after their boundaries 99 of 100 were: the n-th invoice
 * counts as the n-th contract's.
 */
async function untilInvoiced(db: Database, herd: Herd): Promise<{ last: number; p99: number }> {
  const lags: number[] = [];
  for (;;) {
    const made = await invoicesOf(db, herd);
    const now = Date.now();
    while (lags.length < made) lags.push(Math.max(0, now - boundaryOf(herd, lags.length)));
    if (made >= herd.ids.length) {
      lags.sort((a, b) => a - b);
      return { last: now, p99: lags[Math.ceil(lags.length * 0.99) - 1] ?? 0 };
    }
    if (now > boundaryOf(herd) + PATIENCE) throw new Error(`${made} of ${herd.ids.length} invoices after ${PATIENCE / 1000} s`);
    await pause(LOOK_EVERY);
  }
}

/**
 * Begins to count the processor time of some programs; each call gives what they have used since, in milliseconds for
 * each contract.
 */
async function meterOf(children: Record<string, Child>, size: number): Promise<() => Promise<Cost>> {
  const read = async () => {
    const used: [string, number][] = [];
    for (const [name, { pid }] of Object.entries(children)) used.push([name, (await cpuSeconds(pid)) ?? Number.NaN]);
    return used;
  };
  const before = new Map(await read());
  return async () =>
    Object.fromEntries((await read()).map(([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) * 1000) / size]));
}

async function megabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
