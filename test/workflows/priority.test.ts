import { randomUUID } from 'node:crypto';
import type { MessageKindName } from '../../temporal/message-kinds.ts';
import { send } from '../../temporal/send.ts';
import type { ChainActivityInput, ClockRef, ClockStep, Schedule } from '../../workflows/messages.ts';
import type { AttemptRef } from '../../workflows/payment/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';
import { endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-priority-${randomUUID()}`;
/**
 * The server keeps a task queue in four parts, orders each by priority and lets a poller ask any of them. So a third of
 * these may come first: that none of forty polls asks for one of two parts happens once in 50,000 runs.
 */
const CHAINS = 120;
const UNDER_WAY = 40;
/** How the server numbers the kind of a queue. */
const WORKFLOW_TASKS = 1;

let kit: Kit;
let own: OwnWorker | null = null;
/** ids of workflows, in the order in which they got to work */
const worked: string[] = [];

beforeAll(async () => {
  kit = await openKit(await servers(), QUEUE);
});

afterAll(async () => {
  await own?.stop();
  await kit.close();
  await endRuntime();
});

const ended = ({ chainId, signals }: ChainActivityInput): Schedule => ({
  chainId,
  vendorId: kit.vendorId,
  customerId: 'Cust_priority',
  clockId: null,
  isFrozen: false,
  resumesAt: null,
  contracts: [],
  due: [],
  wakeAt: null,
  isLeft: false,
  hasEnded: true,
  done: [],
  seen: '1',
  bundle: 'of-the-test',
  signals,
});

const activities = {
  readSchedule: async (input: ChainActivityInput): Promise<Schedule> => {
    worked.push(input.chainId);
    return ended(input);
  },
  stepClock: async ({ clockId }: ClockRef): Promise<ClockStep> => {
    worked.push(clockId);
    return { now: 0, done: true, waiting: false, reason: null };
  },
  chargeAttempt: async ({ attemptId }: AttemptRef) => {
    worked.push(`payment:${attemptId}`);
    return { status: 'ended' };
  },
  recordAttempt: async () => ({ status: 'succeeded' }),
};

/** Tasks of workflows that the server keeps for a worker. */
async function waiting(): Promise<number> {
  const { connection, options } = kit.client;
  const { stats } = await connection.workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: QUEUE },
    taskQueueType: WORKFLOW_TASKS,
    reportStats: true,
  });
  return Number(stats?.approximateBacklogCount ?? 0);
}

it(`a clock and a payment that come behind ${CHAINS} chains, all waiting for a worker, are served before most of them`, async () => {
  const tell = (kind: MessageKindName, workflowId: string) => send(kit.client, QUEUE, { kind, workflowId });
  const chains = Array.from({ length: CHAINS }, (_, i) => `Cont_${i}_${kit.vendorId}`);
  await Promise.all(chains.map((id) => tell('contract', id)));
  const later = [`Clock_${kit.vendorId}`, `payment:Pay_${kit.vendorId}`];
  await tell('clock', later[0] ?? '');
  await tell('payment', later[1] ?? '');
  await eventually(async () => expect(await waiting()).toBeGreaterThanOrEqual(CHAINS + later.length));
  own = await startWorker(await servers(), QUEUE, activities, { maxConcurrentWorkflowTaskExecutions: 2, maxCachedWorkflows: 4 });
  await eventually(() => expect(worked).toHaveLength(CHAINS + later.length));
  expect([...worked].sort()).toEqual([...chains, ...later].sort());
  for (const id of later) expect(worked.indexOf(id)).toBeLessThan(UNDER_WAY);
});
