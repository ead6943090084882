import { Context } from '@temporalio/activity';
import { send } from '../../temporal/send.ts';
import { CHANGED_SIGNAL, type ChainActivityInput, type ChainDue, type Schedule } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { chainSchedule } from './chain-schedule.ts';
import { type Kit, openKit } from './kit.ts';
import { endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-step-out-of-time-${process.pid}`;

let kit: Kit;
let own: OwnWorker;
let due: ChainDue[] = [];
let standsStill = true;

const scheduleOf = (look: ChainActivityInput): Schedule => chainSchedule(look, due, { vendorId: kit.vendorId });

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  const readSchedule = async (look: ChainActivityInput) => {
    const { info, cancelled } = Context.current();
    if (standsStill && info.isLocal) await cancelled;
    standsStill = false;
    return scheduleOf(look);
  };
  // it keeps nothing: every task replays what was before
  own = await startWorker(addresses, QUEUE, { readSchedule }, { maxCachedWorkflows: 0 });
});

afterAll(async () => {
  await own.stop();
  await kit.close();
  await endRuntime();
});

it('a step for which Postgres stands still runs out of time, is made patiently, and the run replays as it went', async () => {
  const workflowId = `contract:${kit.vendorId}`;
  due = [{ kind: 'boundary', at: Date.now() + 3_600_000, contractId: workflowId, subject: workflowId, detail: { idx: 2 } }];
  await send(kit.client, QUEUE, { kind: 'contract', workflowId });
  const handle = kit.client.workflow.getHandle(workflowId);
  await eventually(async () => expect(await handle.query('state')).toMatchObject({ due }));
  due = [];
  await handle.signal(CHANGED_SIGNAL);
  await handle.result();
  const history = await kit.history(workflowId);
  expect(history.filter(({ activityTaskScheduledEventAttributes: patient }) => patient != null)).toHaveLength(1);
  expect(history.filter(({ workflowTaskFailedEventAttributes: failed }) => failed != null)).toEqual([]);
});
