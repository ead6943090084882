import { rm } from 'node:fs/promises';
import { Client, Connection } from '@temporalio/client';
import { DEFAULT_NAMESPACE, DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import { reconcile } from '../../worker/reconcile.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { withDatabase } from '../support/vendor.ts';
import { firsts, invoiceDates, setOff, signMonthly, whenSettled, whenUnderWay } from './kit.ts';

let stack: OwnStack;
beforeAll(async () => {
  stack = await ownStack();
}, 180_000);
afterAll(() => stack?.stop(), 60_000);

async function loseTemporalsData(): Promise<void> {
  await stack.kill9('temporal');
  for (const file of ['temporal.db', 'temporal.db-wal', 'temporal.db-shm']) await rm(`${stack.servers.home}/${file}`, { force: true });
  await stack.restart('temporal');
}

async function runReconcile() {
  const connection = await Connection.connect({ address: stack.servers.temporalAddress });
  try {
    const client = new Client({ connection, namespace: DEFAULT_NAMESPACE });
    return await withDatabase((db) => reconcile(db, client, connection, DEFAULT_TASK_QUEUE), stack.servers);
  } finally {
    await connection.close();
  }
}

describe('a Temporal namespace that is lost', () => {
  it('in the middle of 37 months costs nothing: reconcile goes on from Postgres, 37 invoices, none twice', async () => {
    const story = await signMonthly(stack);
    await setOff(story, '2027-01-01T00:00:00Z');
    await whenUnderWay(story);
    // the worker too, or the step it is in brings the clock home alone
    await stack.kill9('worker');
    await loseTemporalsData();
    await stack.restart('worker');
    expect(await runReconcile()).toMatchObject({ contracts: 1, clocks: 1 });
    await whenSettled(story);
    expect(await invoiceDates(story)).toEqual(firsts(37));
  }, 240_000);

  it('while all is quiet is mended by reconcile, twice for good measure, and the next month is invoiced once', async () => {
    const story = await signMonthly(stack);
    await loseTemporalsData();
    await runReconcile();
    await runReconcile();
    await setOff(story, '2024-02-01T00:00:00Z');
    await whenSettled(story);
    expect(await invoiceDates(story)).toEqual(firsts(2));
  }, 240_000);
});
