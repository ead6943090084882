import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { eventually } from '../support/eventually.ts';
import { startTestStack, type TestStack } from '../support/start-stack.ts';
import { newVendor } from '../support/vendor.ts';
import { stepsOf } from '../workflows/history.ts';
import { type Kit, openKit } from '../workflows/kit.ts';
import { activitiesFor, endRuntime, startWorker } from '../workflows/own-worker.ts';
import { contractPaths } from './contract-paths.ts';
import { herdPath } from './herd-path.ts';
import { importPaths } from './import-paths.ts';
import type { Path, Recorded, Stage } from './path.ts';
import { paymentPaths } from './payment-paths.ts';
import { planPaths } from './plan-paths.ts';
import { webhookPaths } from './webhook-paths.ts';

/**
 * Plays every path of the workflows on servers of its own and writes their histories next to this file, in place of the
 * earlier ones.
 */

const FOLDER = join(import.meta.dirname, 'histories');

const stageOf = ({ stack, servers }: TestStack, kit: Kit): Stage => ({
  kit,
  newVendor: () => newVendor('Recorder', servers),
  restart: async (part, meanwhile) => {
    await stack.parts[part]?.kill();
    await meanwhile();
    await stack.parts[part]?.start();
  },
  withWorker: async (taskQueue, bundle, work) => {
    const own = await startWorker(servers, taskQueue, await activitiesFor(kit, servers, bundle));
    return work().finally(() => own.stop());
  },
});

/** The workflows of chains, customers and endpoints go on; all others end. */
const waits = ({ workflowId, hasEnded = false }: Recorded): boolean => /^(Cont_|customer:|Hook_)/.test(workflowId) && !hasEnded;

/**
 * The history once the workflow has all its signals and waits, or has ended: a task under way would be played on, which
 * a replay can't.
 */
async function quietHistory(kit: Kit, recorded: Recorded) {
  const { workflowId, runId, mustHold } = recorded;
  const handle = kit.client.workflow.getHandle(workflowId, runId);
  // its message may be on its way
  await eventually(() => handle.describe());
  if (!waits(recorded)) await handle.result();
  const withoutMessages = () => kit.db.query('select kind from outbox where workflow_id = $1 and sent < wanted', [workflowId]);
  const quiet = async () => {
    if ((await withoutMessages()).length > 0) throw new Error(`${workflowId} has not been told yet`);
    const history = await handle.fetchHistory();
    const events = history.events ?? [];
    const last = events.findLast((event) => event.workflowTaskScheduledEventAttributes ?? event.workflowTaskCompletedEventAttributes);
    if (last?.workflowTaskCompletedEventAttributes == null) throw new Error(`${workflowId} is at work`);
    const steps = mustHold === undefined ? [] : stepsOf(events).map(({ activity }) => activity);
    if (mustHold !== undefined && !steps.includes(mustHold)) throw new Error(`${workflowId} shows no ${mustHold}: ${steps}`);
    return history;
  };
  return eventually(quiet);
}

/** Removes where it was recorded, which changes with every recording. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return '';
  // a worker's own task queue is named after its process and machine
  const isOwnQueue = key === 'name' && typeof value === 'string' && /^\d+@/.test(value);
  return key === 'identity' || isOwnQueue ? 'recorder' : value;
}

async function play(stage: Stage, path: Path): Promise<[name: string, history: string][]> {
  const found: [string, string][] = [];
  for (const [name, recorded] of Object.entries(await path(stage))) {
    const history = await quietHistory(stage.kit, typeof recorded === 'string' ? { workflowId: recorded } : recorded);
    found.push([name, `${JSON.stringify(JSON.parse(historyToJSON(history)), withoutPlaces, 1)}\n`]);
    process.stdout.write(`${name}: ${history.events?.length} events\n`);
  }
  return found;
}

const home = await mkdtemp(join(tmpdir(), 'perennial-record-'));
const running = await startTestStack(home, (line) => process.stdout.write(`${line}\n`));
const kit = await openKit(running.servers);
try {
  const stage = stageOf(running, kit);
  const histories: [string, string][] = [];
  const paths = [...contractPaths, ...paymentPaths, ...planPaths, ...importPaths, ...webhookPaths, herdPath];
  for (const path of paths) histories.push(...(await play(stage, path)));
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, history] of histories) await writeFile(join(FOLDER, `${name}.json`), history);
} finally {
  await kit.close();
  await endRuntime();
  await running.stop();
  await rm(home, { recursive: true, force: true });
}
