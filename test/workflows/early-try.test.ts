import { send } from '../../temporal/send.ts';
import { CHANGED_SIGNAL, type EndpointState } from '../../workflows/messages.ts';
import { deliveryQueue } from '../../workflows/webhook/queue.messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';
import { endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-early-try-${process.pid}`;

let kit: Kit;
let own: OwnWorker;
let delivering: OwnWorker;
let state: EndpointState | null = null;
let looks = 0;

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  own = await startWorker(addresses, QUEUE, {});
  delivering = await startWorker(addresses, deliveryQueue(QUEUE), {
    deliverEvents: async () => {
      looks += 1;
      return state;
    },
  });
});

afterAll(async () => {
  await own.stop();
  await delivering.stop();
  await kit.close();
  await endRuntime();
});

it('a try that is due by Temporal’s clock and not yet by Postgres’s is looked at after growing pauses', async () => {
  state = { isPaused: false, failing: 1, nextTry: Date.now() - 1_000, hasMore: false, bundle: 'of-the-test' };
  const workflowId = `endpoint-${kit.vendorId}`;
  await send(kit.client, QUEUE, { kind: 'webhook', workflowId });
  const pauses = async () => {
    const timers = (await kit.history(workflowId)).flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
    return timers.map(({ startToFireTimeout: pause }) => Number(pause?.seconds));
  };
  await eventually(async () => expect((await pauses()).slice(0, 2)).toEqual([1, 2]));
  expect(looks).toBe(3);
  state = null;
  await kit.client.workflow.getHandle(workflowId).signal(CHANGED_SIGNAL);
  await kit.client.workflow.getHandle(workflowId).result();
});
