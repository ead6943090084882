import { Context } from '@temporalio/activity';
import { send } from '../../temporal/send.ts';
import { CHANGED_SIGNAL, type ChainActivityInput, type Schedule } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { chainSchedule } from './chain-schedule.ts';
import { type Kit, openKit } from './kit.ts';
import { endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-left-to-the-bill-run-${process.pid}`;

let kit: Kit;
let own: OwnWorker;
/**
 * The steps of the chain of the test. One that is carried out again, because its task has outlasted its time, is still
 * the same one.
 */
const looks = new Map<string, Pick<ChainActivityInput, 'dueAt' | 'wasLeft'> & { activity: string }>();
const dueAt = Date.now() - 60_000;
/** the bill run does the work as soon as it is left to it */
let comes = false;
let isDone = false;
let laterMs = 0;

/** What a chain with one thing due reads; where that is left to the bill run it reads again after a while. */
const scheduleOf = (look: ChainActivityInput, due: number | null, leftMs: number | null = null): Schedule => {
  const { chainId } = look;
  const items = due === null ? [] : [{ at: due, kind: 'boundary', contractId: chainId, subject: chainId, detail: { idx: 2 } }];
  const left = leftMs === null ? {} : { isLeft: true, wakeAt: Date.now() + leftMs };
  return chainSchedule(look, items, { vendorId: kit.vendorId, ...left });
};

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  const noted = (activity: string, { dueAt: at, wasLeft }: ChainActivityInput) =>
    looks.set(Context.current().info.activityId, { activity, dueAt: at, wasLeft });
  own = await startWorker(addresses, QUEUE, {
    readSchedule: async (look: ChainActivityInput) => {
      noted('readSchedule', look);
      return scheduleOf(look, isDone ? null : dueAt);
    },
    rollOverCycle: async (look: ChainActivityInput) => {
      noted('rollOverCycle', look);
      isDone = look.wasLeft || comes;
      return look.wasLeft ? scheduleOf(look, null) : scheduleOf(look, dueAt, laterMs);
    },
  });
});

afterAll(async () => {
  await own.stop();
  await kit.close();
  await endRuntime();
});

beforeEach(() => {
  looks.clear();
  isDone = false;
});

const read = { activity: 'readSchedule', dueAt: null, wasLeft: false };
const rollOver = { activity: 'rollOverCycle', dueAt, wasLeft: false };

async function start(name: string) {
  const workflowId = `${name}-${kit.vendorId}`;
  await send(kit.client, QUEUE, { kind: 'contract', workflowId });
  return kit.client.workflow.getHandle(workflowId);
}

describe('a chain that leaves what is due to the bill run', () => {
  it('only reads when it looks again, and finds the work done', async () => {
    [comes, laterMs] = [true, 100];
    await (await start('done')).result();
    expect([...looks.values()]).toEqual([read, rollOver, read]);
  });

  it('carries it out itself when it looks again and nobody came', async () => {
    [comes, laterMs] = [false, 100];
    await (await start('alone')).result();
    expect([...looks.values()]).toEqual([read, rollOver, read, { ...rollOver, wasLeft: true }]);
  });

  it('leaves it once: signalled meanwhile, it does the work itself', async () => {
    [comes, laterMs] = [false, 3_600_000];
    const handle = await start('told');
    await eventually(async () => expect(await handle.query('state')).toMatchObject({ isLeft: true }));
    await handle.signal(CHANGED_SIGNAL);
    await handle.result();
    expect([...looks.values()]).toEqual([read, rollOver, read, { ...rollOver, wasLeft: true }]);
  });
});
