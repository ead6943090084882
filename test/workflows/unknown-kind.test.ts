import { send } from '../../temporal/send.ts';
import type { ChainActivityInput, ChainDue, Schedule } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { chainSchedule } from './chain-schedule.ts';
import { type Kit, openKit } from './kit.ts';
import { endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-unknown-kind-${process.pid}`;

let kit: Kit;
let own: OwnWorker;
let due: ChainDue[] = [];
let looks = 0;

const scheduleOf = (look: ChainActivityInput): Schedule => chainSchedule(look, due, { vendorId: kit.vendorId });

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  own = await startWorker(addresses, QUEUE, {
    readSchedule: async (look: ChainActivityInput) => {
      looks += 1;
      return scheduleOf(look);
    },
    rollOverCycle: async (look: ChainActivityInput) => {
      due = due.filter(({ kind }) => kind !== 'boundary');
      return scheduleOf(look);
    },
  });
});

afterAll(async () => {
  await own.stop();
  await kit.close();
  await endRuntime();
});

it('a row of a kind that only newer code knows is left alone for longer each time, and what is due after it is done', async () => {
  const workflowId = `contract:${kit.vendorId}`;
  const row = { subject: 'Cont_newer', contractId: workflowId, detail: {} };
  due = [
    { kind: 'of_a_newer_version', at: Date.now() - 2_000, ...row },
    { kind: 'boundary', at: Date.now() - 1_000, ...row },
  ];
  await send(kit.client, QUEUE, { kind: 'contract', workflowId });
  await eventually(() => expect(due.map(({ kind }) => kind)).toEqual(['of_a_newer_version']));
  const pauses = async () => {
    const timers = (await kit.history(workflowId)).flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
    return timers.map(({ startToFireTimeout: pause }) => Number(pause?.seconds));
  };
  await eventually(async () => expect((await pauses()).slice(0, 2)).toEqual([1, 2]));
  expect(looks).toBe(1);
  due = [];
  await kit.client.workflow.getHandle(workflowId).result();
});
