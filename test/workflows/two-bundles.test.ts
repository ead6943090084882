import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR } from '../../billing/calendar/instant.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import type { HistoryEvent } from './history.ts';
import { type Kit, openKit } from './kit.ts';
import { activitiesFor, endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-two-bundles-${process.pid}`;
const CONTRACTS = 6;
/** What the old and the new code say of the same thing. */
const TEXTS = { old: 'What happens next:', new: 'What comes next:' };

let kit: Kit;
let folder: string;
let codes: Record<keyof typeof TEXTS, { codePath: string }>;
const workers: Partial<Record<keyof typeof TEXTS, OwnWorker>> = {};
beforeAll(async () => {
  kit = await openKit(await servers(), QUEUE);
  folder = await mkdtemp(join(tmpdir(), 'perennial-bundles-'));
  codes = await bundles();
});
afterAll(async () => {
  await Promise.all(Object.values(workers).map((worker) => worker.stop()));
  await kit?.close();
  await endRuntime();
  await rm(folder, { recursive: true, force: true });
});

async function start(name: keyof typeof TEXTS): Promise<void> {
  const addresses = await servers();
  workers[name] = await startWorker(addresses, QUEUE, await activitiesFor(kit, addresses, name), { workflowBundle: codes[name] });
}

async function stop(name: keyof typeof TEXTS): Promise<void> {
  await workers[name]?.stop();
  delete workers[name];
}

/** The code of today, and one that a release later says something else. */
async function bundles(): Promise<Record<keyof typeof TEXTS, { codePath: string }>> {
  const old = (await workflowBundle()) as { codePath: string };
  const code = await readFile(old.codePath, 'utf8');
  const changed = code.replaceAll(TEXTS.old, TEXTS.new);
  expect(changed).not.toBe(code);
  const codePath = join(folder, 'new.js');
  await writeFile(codePath, changed);
  return { old, new: { codePath } };
}

/** `WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND`, which a history has as a number. */
const UNHANDLED_COMMAND = 1;

/** A signal that comes while a run continues as new only makes Temporal give the task again. */
const isFailedTask = ({ workflowTaskFailedEventAttributes: failed }: HistoryEvent): boolean =>
  failed != null && failed.cause !== UNHANDLED_COMMAND;

it(`an old worker, a new one beside it, the new one alone: ${2 * CONTRACTS} contracts bill their next period once, and no task fails`, async () => {
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  // the relay of the worker program would start a workflow on its own queue
  const sign = async () => kit.signWithoutMessages(await kit.customer(), plan, { activation: Date.now() - HOUR + 15_000 });
  const signed = (): Promise<string[]> => Promise.all(Array.from({ length: CONTRACTS }, sign));
  const look = (some: readonly string[]) => Promise.all(some.map((id) => kit.look(id)));
  const said = async (some: readonly string[]) => Promise.all(some.map((id) => kit.details(id)));

  await start('old');
  const before = await signed();
  await look(before);
  expect((await said(before)).every((text) => text.includes(TEXTS.old))).toBe(true);

  await start('new');
  const ids = [...before, ...(await signed())];
  await look(ids);
  await look(ids);

  await stop('old');
  await eventually(async () => expect(await Promise.all(ids.map(async (id) => (await kit.invoices(id)).length))).toEqual(ids.map(() => 2)));
  await eventually(async () => {
    await look(ids);
    expect((await said(ids)).every((text) => text.includes(TEXTS.new))).toBe(true);
  });

  const runs: { id: string; runId: string; status: string }[] = [];
  await eventually(async () => {
    runs.length = 0;
    for await (const { workflowId: id, runId, status } of kit.client.workflow.list({ query: `PerennialVendor = '${kit.vendorId}'` }))
      if (ids.includes(id)) runs.push({ id, runId, status: status.name });
    // the new code went on with every run that the old one had begun
    expect(runs.filter(({ status }) => status === 'CONTINUED_AS_NEW').length).toBeGreaterThanOrEqual(CONTRACTS);
  });
  expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['RUNNING', 'CONTINUED_AS_NEW']));
  for (const { id, runId } of runs) {
    const { events } = await kit.client.workflow.getHandle(id, runId).fetchHistory();
    expect((events ?? []).filter(isFailedTask)).toEqual([]);
  }
});
