import { send } from '../../temporal/send.ts';
import type { CustomerDue } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';
import { endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-failing-collection-${process.pid}`;

let kit: Kit;
let own: OwnWorker;
let due: CustomerDue[] = [];
let tries = 0;

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  own = await startWorker(addresses, QUEUE, {
    readCustomerSchedule: async () => ({ customerId: 'Cust_1', vendorId: kit.vendorId, clockId: null, due, bundle: 'of-the-test' }),
    collectPayments: async () => {
      tries += 1;
    },
    endFreeze: async () => {
      due = due.filter(({ kind }) => kind !== 'freeze_end');
    },
  });
});

afterAll(async () => {
  await own.stop();
  await kit.close();
  await endRuntime();
});

it('a customer whose collection changes nothing is left alone for longer each time, and goes on when it is due no more', async () => {
  due = [{ id: '1', kind: 'payment_due', at: Date.now() - 1_000, contractId: null, detail: {}, onClock: false }];
  const workflowId = `customer:${kit.vendorId}`;
  await send(kit.client, QUEUE, { kind: 'customer', workflowId });
  await eventually(() => expect(tries).toBeGreaterThanOrEqual(3));
  const timers = (await kit.history(workflowId)).flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
  const seconds = timers.map(({ startToFireTimeout: pause }) => Number(pause?.seconds));
  expect(seconds.slice(0, 2)).toEqual([1, 2]);
  due = [];
  await kit.client.workflow.getHandle(workflowId).result();
});

it('a collection that changes nothing does not keep the end of a freeze waiting that is due after it', async () => {
  const row = { contractId: null, detail: {}, onClock: false };
  due = [
    { id: '1', kind: 'payment_due', at: Date.now() - 2_000, ...row },
    { id: '2', kind: 'freeze_end', at: Date.now() - 1_000, ...row },
  ];
  const workflowId = `customer:${kit.vendorId}-frozen`;
  await send(kit.client, QUEUE, { kind: 'customer', workflowId });
  await eventually(() => expect(due.map(({ kind }) => kind)).toEqual(['payment_due']));
  due = [];
  await kit.client.workflow.getHandle(workflowId).result();
});
