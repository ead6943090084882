import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import { send } from '../../temporal/send.ts';
import { boundaryOf, type Herd } from './herd.ts';

const LOOK_EVERY = 500;
const PATIENCE = 600_000;
const AT_ONCE = 20;
/** A shorter timer is a second look at what was left to a bill run, not the wait for the next boundary. */
const LEAST_SECONDS = 600;

/**
 * Workflows of the herd whose next due instant is no earlier than a given one: they write it with their timer. A count
 * query disturbs none of them.
 */
async function waitingFor(client: Client, { vendorId }: Herd, instant: number): Promise<number> {
  const next = new Date(instant).toISOString();
  const { count } = await client.workflow.count(`PerennialVendor = '${vendorId}' AND PerennialNext >= '${next}'`);
  return count;
}

/** All started some time before the instant; otherwise the run says nothing. */
export async function whenStarted(client: Client, herd: Herd, calm: number): Promise<void> {
  for (;;) {
    const asleep = await waitingFor(client, herd, herd.dueAt);
    if (asleep === herd.ids.length) return;
    if (Date.now() > herd.dueAt - calm) throw new Error(`only ${asleep} of ${herd.ids.length} workflows were started in time`);
    await pause(LOOK_EVERY);
  }
}

/** Has each workflow look now, so that it waits with a timer of its own. */
export async function armAll(client: Client, { ids, dueAt }: Herd, calm: number): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    await Promise.all(some.map((workflowId) => send(client, DEFAULT_TASK_QUEUE, { kind: 'contract', workflowId })));
    for (const id of some) while (!(await hasTimer(client, id))) await pause(LOOK_EVERY / 10);
    if (Date.now() > dueAt - calm) throw new Error(`only ${from} of ${ids.length} workflows were asleep in time`);
  }
}

async function hasTimer(client: Client, id: string): Promise<boolean> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  return (events ?? []).some(({ timerStartedEventAttributes: timer }) => timer != null);
}

/** @returns when all workflows waited for their next boundary */
export async function whenRearmed(client: Client, herd: Herd): Promise<number> {
  for (;;) {
    const rearmed = await waitingFor(client, herd, boundaryOf(herd) + 1);
    if (rearmed === herd.ids.length) return Date.now();
    if (Date.now() > boundaryOf(herd) + PATIENCE) throw new Error(`only ${rearmed} of ${herd.ids.length} workflows went on`);
    await pause(LOOK_EVERY);
  }
}

/** Seconds from its boundary to the next timer, 99 of 100 workflows, read from their histories. */
export async function timersBehind(client: Client, herd: Herd): Promise<number> {
  const lags: number[] = [];
  for (let from = 0; from < herd.ids.length; from += AT_ONCE) {
    const some = herd.ids.slice(from, from + AT_ONCE);
    lags.push(...(await Promise.all(some.map((id, at) => timerOf(client, id, boundaryOf(herd, from + at))))));
  }
  lags.sort((a, b) => a - b);
  return (lags[Math.ceil(lags.length * 0.99) - 1] ?? 0) / 1000;
}

async function timerOf(client: Client, id: string, dueAt: number): Promise<number> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const armed = (events ?? [])
    .filter(({ timerStartedEventAttributes: timer }) => Number(timer?.startToFireTimeout?.seconds ?? 0) > LEAST_SECONDS)
    .map(({ eventTime }) => Number(eventTime?.seconds ?? 0) * 1000 + Math.floor((eventTime?.nanos ?? 0) / 1e6))
    .find((at) => at >= dueAt);
  if (armed === undefined) throw new Error(`${id} has no next timer`);
  return armed - dueAt;
}
