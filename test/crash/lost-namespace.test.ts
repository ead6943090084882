import { rm } from 'node:fs/promises';
import type { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import type { Database } from '../../db/connect.ts';
import { HERD } from '../../db/sql/contract/chain-schedule.ts';
import { OutboxDispatcher } from '../../temporal/dispatcher.ts';
import { MESSAGE_KINDS, type MessageKindName, workflowIdOf } from '../../temporal/message-kinds.ts';
import { reconcile } from '../../temporal/reconcile.ts';
import { notRunning } from '../../temporal/running.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { temporalAt } from '../support/temporal.ts';
import { EACH_KIND, type Undone } from './each-kind.ts';
import { firsts, invoiceDates, killUnderWay, setOff, signMonthly, whenDone } from './kit.ts';

let stack: OwnStack;
beforeAll(async () => {
  // starting killed servers again takes longer than the schedule of the other tests lasts
  process.env.WEBHOOK_GIVE_UP_AFTER = '10m';
  stack = await ownStack();
});
afterAll(() => stack?.stop());

async function loseTemporalsData(): Promise<void> {
  await stack.kill9('temporal');
  for (const file of ['temporal.db', 'temporal.db-wal', 'temporal.db-shm']) await rm(`${stack.servers.home}/${file}`, { force: true });
  await stack.restart('temporal');
}

async function withClient<T>(work: (client: Client, connection: Connection) => Promise<T>): Promise<T> {
  const { client, connection, close } = temporalAt(stack.servers.temporalAddress);
  return work(client, connection).finally(close);
}

const statusOf = (workflowId: string): Promise<string> =>
  withClient(async (client) => (await client.workflow.getHandle(workflowId).describe()).status.name);

/** What a busy API has left to the worker, which is dead, is sent here. */
const expectRunning = (db: Database, workflowIds: readonly string[]): Promise<void> =>
  withClient(async (client) => {
    const relay = new OutboxDispatcher({ db, client, taskQueue: DEFAULT_TASK_QUEUE, log: pino({ level: 'silent' }) });
    await eventually(async () => {
      await relay.sendDue();
      expect(await notRunning(client, workflowIds)).toEqual([]);
    });
  });

const runReconcile = () =>
  withClient((client, connection) => withTestDatabase((db) => reconcile(db, client, connection, DEFAULT_TASK_QUEUE), stack.servers));

describe('a Temporal namespace that is lost', () => {
  it('in the middle of 37 months costs nothing: reconcile goes on from Postgres, 37 invoices, none twice', async () => {
    const story = await signMonthly(stack);
    // the worker is stopped too, or the step that it is running would end the advance on its own
    await killUnderWay(stack, story, '2027-01-01T00:00:00Z', { part: 'worker', all: 37 });
    await loseTemporalsData();
    expect((await runReconcile()).sent).toEqual(
      expect.arrayContaining([
        { kind: 'contract', count: 1 },
        { kind: 'clock', count: 1 },
      ]),
    );
    await stack.restart('worker');
    await whenDone(story);
    expect(await invoiceDates(story)).toEqual(firsts(37));
  });

  it('while all is quiet is put right by reconcile, twice for good measure, and the next month is invoiced once', async () => {
    const story = await signMonthly(stack);
    await loseTemporalsData();
    await runReconcile();
    await runReconcile();
    await setOff(story, '2024-02-01T00:00:00Z');
    await whenDone(story);
    expect(await invoiceDates(story)).toEqual(firsts(2));
  });

  it('with one of each kind of workflow under way: reconcile finds them all, and everything is done once', async () => {
    const kinds = Object.keys(EACH_KIND) as MessageKindName[];
    expect(kinds.toSorted()).toEqual(Object.keys(MESSAGE_KINDS).toSorted());
    await withTestDatabase(async (db) => {
      const ready = new Map<MessageKindName, () => Promise<Undone>>();
      for (const kind of kinds) ready.set(kind, await EACH_KIND[kind]({ stack, db, statusOf }));
      await stack.kill9('worker');
      const undone = new Map<MessageKindName, Undone>();
      for (const [kind, setsOff] of ready) undone.set(kind, await setsOff());
      const workflowIds = [...undone].map(([kind, { id }]) => workflowIdOf(kind, id));
      await expectRunning(db, workflowIds);
      await loseTemporalsData();

      expect(await withClient((client) => notRunning(client, workflowIds))).toEqual(workflowIds);
      const { sent } = await runReconcile();
      const { contract, ...counts } = Object.fromEntries(sent.map(({ kind, count }) => [kind, count]));
      // a bill run is started by the contracts that are due
      const one = { customer: 1, clock: 1, plan_move: 1, import: 1, payment: 1, detach: 1, refund: 1, webhook: 1 };
      expect(counts).toEqual({ ...one, bill_run: 0 });
      // the contracts of earlier tests are still there
      expect(contract).toBeGreaterThanOrEqual(HERD + 4);
      await stack.restart('worker');

      for (const { expectDone } of undone.values()) await eventually(expectDone, { every: 250 });
      // what one of them has done meanwhile would be seen in another that was done before
      await eventually(async () => expect(await db.query('select workflow_id from outbox where sent < wanted')).toEqual([]));
      for (const { expectDone } of undone.values()) await eventually(expectDone, { every: 250 });
    }, stack.servers);
  });
});
