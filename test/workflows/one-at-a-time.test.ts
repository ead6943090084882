import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pino from 'pino';
import { type ContractActivities, contractActivities } from '../../activities/contract/index.ts';
import type { Dependencies } from '../../activities/dependencies.ts';
import { signContract } from '../../db/contract/sign.ts';
import { activateCustomer, freezeCustomer } from '../../db/customer/freeze.ts';
import { startOptions } from '../../db/wish/deliver.ts';
import { openPayments } from '../../payments/open.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import { CONTRACT_WORKFLOW, WAKE_SIGNAL } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

const QUEUE = 'perennial-one-at-a-time';
/** So long a wake-up gives an Update the chance to come between. */
const CHANCE_MS = 1_500;

Runtime.install({ logger: new DefaultLogger('ERROR') });

let kit: Kit;
let activities: ContractActivities;
let worker: Worker;
let isSlow = false;
let refusals = 0;
let atWork = 0;
let mostAtWork = 0;

/** The workflow has been told of every refusal so far, and waits for the wake-up's step. */
function isWaitedFor(): boolean {
  const { numInFlightWorkflowActivations, numInFlightLocalActivities } = worker.getStatus();
  return refusals > 0 && numInFlightWorkflowActivations === 0 && numInFlightLocalActivities === 1;
}

/** Ends early where somebody has; where nobody can, the time is up. */
async function chanceToComeBetween(): Promise<void> {
  const cameBetween = eventually(() => expect(isWaitedFor()).toBe(true), { timeout: CHANCE_MS, every: 5 });
  await Promise.allSettled([cameBetween]);
}

async function counted<T>(run: () => Promise<T>): Promise<T> {
  atWork += 1;
  mostAtWork = Math.max(mostAtWork, atWork);
  return run().finally(() => {
    atWork -= 1;
  });
}

beforeAll(async () => {
  const { databaseUrl, temporalAddress } = await servers();
  kit = await openKit({ databaseUrl, temporalAddress });
  const deliver = async () => {};
  const config = { payments: { cardproc: null, authorize: null, retryDays: [] }, mode: 'production' as const, databaseUrl };
  const payments = openPayments({ config, db: kit.db, deliver });
  const dependencies: Dependencies = { db: kit.db, deliver, payments, log: pino({ level: 'silent' }), carrier: null };
  const real = contractActivities(dependencies);
  activities = {
    advanceContract: (input) =>
      counted(async () => {
        const schedule = await real.advanceContract(input);
        if (isSlow) await chanceToComeBetween();
        return schedule;
      }),
    carryOut: (input) => counted(() => real.carryOut(input).finally(() => (refusals += 1))),
  };
});

afterAll(async () => {
  await kit.close();
  await Runtime.instance().shutdown();
});

/** What has come meanwhile reaches the workflow in one task; a worker that has just begun, and one that keeps nothing, replays what was before. */
async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const connection = await NativeConnection.connect({ address: (await servers()).temporalAddress });
  worker = await Worker.create({ connection, taskQueue: QUEUE, workflowBundle: await workflowBundle(), maxCachedWorkflows: 0, activities });
  return worker.runUntil(work).finally(() => connection.close());
}

it('wake-ups and Updates in one task are worked through one by one, and replay as they happened', async () => {
  const customer = await kit.customer();
  const wish = kit.wishOf(customer, await kit.plan('10.00'));
  const { contract, wishes } = await kit.db.transaction((tx) => signContract(tx, wish));
  await kit.db.query('delete from wish where id = any($1::bigint[])', [wishes]);
  const workflow = kit.client.workflow.getHandle(contract.id);
  const isReplayed = () => eventually(async () => expect(await workflow.query('state')).toMatchObject({ status: 'active' }));
  await withWorker(async () => {
    await kit.client.workflow.start(CONTRACT_WORKFLOW, startOptions('start_contract', contract.id, QUEUE));
    await isReplayed();
  });
  for (const change of [freezeCustomer, activateCustomer, freezeCustomer]) {
    const act = { notes: null, keyId: null };
    const told = await kit.db.transaction((tx) => change(tx, kit.vendorId, customer, act));
    await kit.db.query('delete from wish where id = any($1::bigint[])', [told.wishes]);
    isSlow = true;
    refusals = 0;
    await workflow.signal(WAKE_SIGNAL);
    const asked = Array.from({ length: 5 }, () => kit.ask(contract.id, 'cancel_undo', {}).catch((error: unknown) => error));
    for (const refusal of await withWorker(() => Promise.all(asked))) expect(refusal).toBeInstanceOf(Error);
    isSlow = false;
    await withWorker(isReplayed);
  }
  const { events } = await workflow.fetchHistory();
  expect((events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) => failed?.failure?.message ?? [])).toEqual([]);
  expect(mostAtWork).toBe(1);
}, 120_000);
