import { Context } from '@temporalio/activity';
import { HOUR } from '../../billing/calendar/instant.ts';
import { send } from '../../temporal/send.ts';
import { CHANGED_SIGNAL, type ChainActivityInput, type StateResponse } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { stepsOf } from './history.ts';
import { NOW } from './inputs.ts';
import { type Kit, openKit } from './kit.ts';
import { type Activities, activitiesFor, endRuntime, type OwnWorker, startWorker } from './own-worker.ts';

const QUEUE = `perennial-one-at-a-time-${process.pid}`;

let kit: Kit;
let own: OwnWorker;
/**
 * Of each chain: steps that have begun and have no answer yet, the most there have been at once, and all executions. A
 * step that is carried out again, because its task has outlasted its time, is still the same one.
 */
const work = new Map<string, { open: Set<string>; most: number; looks: number }>();
/** Something that happens within one activity, the next of this name. */
interface Act {
  during: 'readSchedule' | 'rollOverCycle';
  happen: () => Promise<unknown>;
}

/**
 * what happens to a chain after its activity has read Postgres and before the workflow hears of it, one after the other
 */
const meanwhile = new Map<string, Act[]>();

/** An activity that is counted, and whose answer is out of date where something happens meanwhile. */
const overtaken =
  <O>(name: Act['during'], real: (look: ChainActivityInput) => Promise<O>): ((look: ChainActivityInput) => Promise<O>) =>
  async (look) => {
    const seen = work.get(look.chainId) ?? { open: new Set<string>(), most: 0, looks: 0 };
    const { activityId } = Context.current().info;
    work.set(look.chainId, seen);
    seen.open.add(activityId);
    seen.looks += 1;
    seen.most = Math.max(seen.most, seen.open.size);
    try {
      const answer = await real(look);
      const acts = meanwhile.get(look.chainId) ?? [];
      if (acts[0]?.during === name) await acts.shift()?.happen();
      return answer;
    } finally {
      seen.open.delete(activityId);
    }
  };

beforeAll(async () => {
  const addresses = await servers();
  kit = await openKit(addresses, QUEUE);
  const real = await activitiesFor(kit, addresses);
  const activities: Partial<Activities> = {
    readSchedule: overtaken('readSchedule', real.readSchedule),
    rollOverCycle: overtaken('rollOverCycle', real.rollOverCycle),
  };
  // it keeps nothing: every task replays what was before
  own = await startWorker(addresses, QUEUE, activities, { maxCachedWorkflows: 0 });
});

afterAll(async () => {
  await own.stop();
  await kit.close();
  await endRuntime();
});

const signal = (id: string): Promise<void> => kit.client.workflow.getHandle(id).signal(CHANGED_SIGNAL);

/** A decision whose own message is lost, and the signal in its place, so that it comes at this very moment. */
const decides = (id: string, decide: () => Promise<unknown>) => async () => {
  await decide();
  await signal(id);
};

/** A contract by the hour on our own worker, whose second hour begins in the given number of milliseconds. */
async function hourly(ms: number, during: Act['during'], ...acts: ((id: string) => Act['happen'])[]): Promise<string> {
  const activation = Date.now() + ms - HOUR;
  const id = await kit.signWithoutMessages(await kit.customer(), await kit.plan('10.00', { cycle: 'hour' }), { activation });
  meanwhile.set(
    id,
    acts.map((act) => ({ during, happen: act(id) })),
  );
  // as if by its first message; the relay sends the next ones
  await kit.db.query(`insert into outbox (kind, workflow_id, sent, sent_at) values ('contract', $1, 1, now())`, [id]);
  await send(kit.client, QUEUE, { kind: 'contract', workflowId: id });
  return id;
}

/**
 * temporal.api.enums.v1.WorkflowTaskFailedCause: a signal came while the task was under way that ended the workflow, so
 * that it is made again
 */
const UNHANDLED_COMMAND = 1;

async function expectSound(id: string): Promise<void> {
  await expectNoFailedTask(id);
  expect(work.get(id)?.most).toBe(1);
}

async function expectNoFailedTask(id: string): Promise<void> {
  const failed = (await kit.history(id)).flatMap(({ workflowTaskFailedEventAttributes: failure }) => failure ?? []);
  expect(failed.filter(({ cause }) => cause !== UNHANDLED_COMMAND)).toEqual([]);
}

const shown = (id: string) => kit.client.workflow.getHandle(id).query<StateResponse>('state');
const kindsDue = async (id: string) => (await shown(id)).due.map(({ kind }) => kind);

describe('a chain that gets a signal', () => {
  it('while it reads for the first time, and while it reads on account of that, reads again: it knows the last', async () => {
    const cancel = (id: string) => decides(id, () => kit.cancel(id, { type: 'end_of_cycle' }));
    const undo = (id: string) => decides(id, () => kit.undoCancellation(id));
    const downgrade = (id: string) => decides(id, async () => kit.change(id, await kit.plan('5.00', { cycle: 'hour' })));
    const id = await hourly(HOUR / 2, 'readSchedule', cancel, undo, downgrade);
    await eventually(async () => expect(await kindsDue(id)).toEqual(['scheduled_change']));
    expect(meanwhile.get(id)).toEqual([]);
    await expectSound(id);
  });

  it('50 times while it reads, takes one step at a time and reads once more', async () => {
    const storm = (id: string) => () => Promise.all(Array.from({ length: 50 }, () => signal(id)));
    const id = await hourly(HOUR / 2, 'readSchedule', storm);
    await eventually(() => expect(work.get(id)?.looks).toBeGreaterThanOrEqual(2));
    await eventually(async () => expect((await shown(id)).due).toHaveLength(1));
    expect(stepsOf(await kit.history(id)).length).toBeLessThanOrEqual(2);
    await expectSound(id);
  });

  it('while it rolls over, bills the hour once and then shows the change of plan that came meanwhile', async () => {
    let next = '';
    const upgrade = (id: string) =>
      decides(id, async () => {
        next = await kit.change(id, await kit.plan('30.00', { cycle: 'hour' }));
      });
    const id = await hourly(20_000, 'rollOverCycle', upgrade);
    await eventually(async () => expect((await shown(id)).contracts.map(({ contractId }) => contractId)).toEqual([next, id]));
    expect(stepsOf(await kit.history(id)).map(({ activity }) => activity)).toContain('rollOverCycle');
    expect((await kit.invoices(id)).map(({ total }) => total)).toEqual(['10.00', '10.00']);
    await expectSound(id);
  });

  it('while a slow read outlasts its workflow task, replays as it went', async () => {
    // Temporal's core ends the task of a local activity after eight seconds and begins another one
    const outlast = (id: string) => async () => {
      await signal(id);
      await eventually(
        async () => expect((await kit.history(id)).filter(({ workflowTaskStartedEventAttributes: started }) => started)).toHaveLength(2),
        { timeout: 9_500 },
      );
    };
    const id = await hourly(HOUR / 2, 'readSchedule', outlast, (chain) =>
      decides(chain, () => kit.cancel(chain, { type: 'end_of_cycle' })),
    );
    await eventually(async () => expect(await kindsDue(id)).toEqual(['cancellation']));
    await expectNoFailedTask(id);
  });

  it('while it reads that everything has ended, looks once more and then ends', async () => {
    const id = await hourly(
      HOUR / 2,
      'readSchedule',
      (chain) => decides(chain, () => kit.cancel(chain, NOW)),
      (chain) => () => signal(chain),
    );
    await eventually(async () => expect((await kit.client.workflow.getHandle(id).describe()).status.name).toBe('COMPLETED'));
    expect(work.get(id)?.looks).toBeGreaterThanOrEqual(3);
    expect(stepsOf(await kit.history(id)).at(-1)?.schedule).toMatchObject({ hasEnded: true, contracts: [{ status: 'canceled' }] });
    await expectSound(id);
  });
});
