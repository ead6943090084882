import { send } from '../../temporal/send.ts';
import type { ChainActivityInput, CustomerDue, Schedule } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { chainSchedule } from './chain-schedule.ts';
import { type Kit, openKit } from './kit.ts';
import { endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-failing-collection-${process.pid}`;

let kit: Kit;
let own: OwnWorker;
let due: CustomerDue[] = [];
let tries = 0;
/** of the invoices that a chain is to collect, all since one instant */
let open: string[] = [];
const OPEN_SINCE = Date.now() - 60_000;

const chainWithOpen = (look: ChainActivityInput): Schedule => {
  const row = { at: OPEN_SINCE, kind: 'payment_due', contractId: look.chainId };
  const due = open.map((subject) => ({ ...row, subject, detail: { invoice_id: subject } }));
  return chainSchedule(look, due, { vendorId: kit.vendorId });
};

const pausesIn = async (workflowId: string): Promise<number[]> => {
  const timers = (await kit.history(workflowId)).flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
  return timers.map(({ startToFireTimeout: pause }) => Number(pause?.seconds));
};

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  own = await startWorker(addresses, QUEUE, {
    readCustomerSchedule: async () => ({ customerId: 'Cust_1', vendorId: kit.vendorId, clockId: null, due, bundle: 'of-the-test' }),
    readSchedule: async (look: ChainActivityInput) => chainWithOpen(look),
    collectPayment: async (look: ChainActivityInput) => {
      open = open.slice(1);
      return chainWithOpen(look);
    },
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
  expect((await pausesIn(workflowId)).slice(0, 2)).toEqual([1, 2]);
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

it('a chain that collects some invoices of one instant at a time goes on at once: each step has done something', async () => {
  open = ['Inv_1', 'Inv_2', 'Inv_3', 'Inv_4', 'Inv_5'];
  const workflowId = `${kit.vendorId}-many`;
  await send(kit.client, QUEUE, { kind: 'contract', workflowId });
  await kit.client.workflow.getHandle(workflowId).result();
  expect(open).toEqual([]);
  expect((await pausesIn(workflowId)).filter((seconds) => seconds > 0)).toEqual([]);
});
