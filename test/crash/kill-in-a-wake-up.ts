import { HOUR } from '../../billing/calendar/instant.ts';
import { DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import { send } from '../../temporal/send.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import { type CrashStage, crashStage, killWorkerAt } from './kit.ts';

/** Left to sign and to get ready for what happens at the wake-up. */
const AHEAD = 20_000;

let stage: CrashStage;
let plan: string;
let temporal: Temporal;

/** A contract by the hour whose second hour begins soon. */
async function hourly(): Promise<{ contract: string; dueAt: number }> {
  const customer = await stage.vendor.api.made('/v1/c/customer', { name: 'Ada' });
  const dueAt = Date.now() + AHEAD;
  const terms = { currency: 'usd', cycle: 'hour', activation: new Date(dueAt - HOUR).toISOString() };
  return { contract: await stage.vendor.api.made('/v1/c/contract', { customer, plan, ...terms }), dueAt };
}

const datesOf = async (contract: string): Promise<number[]> => {
  const { hits } = await stage.vendor.api.read(`/v1/c/invoice?contract=${contract}`);
  return hits.map(({ invoice }: AnyJson) => Date.parse(invoice.date)).sort();
};

async function expectTwoHours({ contract, dueAt }: { contract: string; dueAt: number }): Promise<void> {
  await eventually(async () => expect(await datesOf(contract)).toEqual([dueAt - HOUR, dueAt]), { every: 200 });
  const periods = await stage.db.query('select idx from usage_period where contract_id = $1 order by idx', [contract]);
  expect(periods).toEqual([{ idx: 1 }, { idx: 2 }]);
}

describe('a wake-up on the wall clock', () => {
  beforeAll(async () => {
    stage = await crashStage();
    const { stack, vendor } = stage;
    const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
    const pricings = [{ currency: 'usd', cycle: 'hour', price, features: {} }];
    plan = await vendor.api.made('/v1/c/plan', { slug: 'hourly', internal_name: 'Hourly', strategy: 'plan', features: [], pricings });
    temporal = temporalAt(stack.servers.temporalAddress);
  });
  afterAll(async () => {
    await temporal?.close();
    await stage?.close();
  });

  it('in whose transaction the worker is killed with -9 happens once all the same', async () => {
    const story = await hourly();
    await killWorkerAt(stage, { sql: 'select from contract where id = $1 for update', params: [story.contract] });
    expect(await datesOf(story.contract)).toEqual([story.dueAt - HOUR]);
    await stage.stack.restart('worker');
    await expectTwoHours(story);
  });

  it('that ends a freeze while no worker runs ends it as of its instant, when a worker is back', async () => {
    const { contract, dueAt } = await hourly();
    const [row] = await stage.db.query<{ id: string }>('select customer_id as id from contract where id = $1', [contract]);
    const resumeAt = dueAt + 1_000;
    await stage.vendor.api.made(`/v1/c/customer/${row?.id}/inactivate`, { resume_at: new Date(resumeAt).toISOString() });
    await stage.stack.kill9('worker');
    await eventually(async () => expect(Date.now()).toBeGreaterThan(resumeAt + 1_000));
    const stored = () =>
      stage.db.query<{ began: number; ended: number | null }>('select began, ended from customer_pause where customer_id = $1', [row?.id]);
    expect(await stored()).toMatchObject([{ ended: null }]);
    await stage.stack.restart('worker');
    const frozen = async () => {
      const [pause] = await stored();
      expect(pause?.ended).toBe(resumeAt);
      return resumeAt - (pause?.began ?? 0);
    };
    const frozenMs = await eventually(frozen);
    await eventually(async () => expect(await datesOf(contract)).toEqual([dueAt - HOUR, dueAt + frozenMs]), {
      every: 200,
    });
  });

  it('for which Postgres is away waits in Temporal under its name, and happens once, as of its instant, when Postgres is back', async () => {
    const story = await hourly();
    const handle = temporal.client.workflow.getHandle(story.contract);
    await send(temporal.client, DEFAULT_TASK_QUEUE, { kind: 'contract', workflowId: story.contract });
    await eventually(async () => expect(await handle.query('state')).toMatchObject({ due: [{ at: story.dueAt }] }));
    await stage.stack.kill9('postgres');
    const pending = async () => (await handle.describe()).raw.pendingActivities?.map(({ activityType }) => activityType?.name);
    await eventually(async () => expect(await pending()).toEqual(['rollOverCycle']));
    await stage.stack.restart('postgres');
    await expectTwoHours(story);
  });
});
