import { HOUR } from '../../billing/calendar/instant.ts';
import { DEFAULT_TASK_QUEUE } from '../../config/launch.ts';
import { connect, type Database } from '../../db/connect.ts';
import { send } from '../../temporal/send.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import type { TestVendor } from '../support/vendor.ts';

/** Left to sign and to get ready for what happens at the wake-up. */
const AHEAD = 8_000;

let stack: OwnStack;
let vendor: TestVendor;
let plan: string;
let db: Database;
let temporal: Temporal;
beforeAll(async () => {
  stack = await ownStack();
  vendor = await stack.newVendor();
  const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'hour', price, features: {} }];
  plan = await vendor.api.made('/v1/c/plan', { slug: 'hourly', internal_name: 'Hourly', strategy: 'plan', features: [], pricings });
  db = await connect({ databaseUrl: stack.servers.databaseUrl, databasePool: 2 });
  temporal = temporalAt(stack.servers.temporalAddress);
});
afterAll(async () => {
  await temporal?.close();
  await db?.close();
  await stack?.stop();
});

/** A contract by the hour whose second hour begins soon. */
async function hourly(): Promise<{ contract: string; dueAt: number }> {
  const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
  const dueAt = Date.now() + AHEAD;
  const terms = { currency: 'usd', cycle: 'hour', activation: new Date(dueAt - HOUR).toISOString() };
  return { contract: await vendor.api.made('/v1/c/contract', { customer, plan, ...terms }), dueAt };
}

const datesOf = async (contract: string): Promise<number[]> => {
  const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}`);
  return hits.map(({ invoice }: AnyJson) => Date.parse(invoice.date)).sort();
};

async function expectTwoHours({ contract, dueAt }: { contract: string; dueAt: number }): Promise<void> {
  await eventually(async () => expect(await datesOf(contract)).toEqual([dueAt - HOUR, dueAt]), { every: 200 });
  const periods = await db.query('select idx from usage_period where contract_id = $1 order by idx', [contract]);
  expect(periods).toEqual([{ idx: 1 }, { idx: 2 }]);
}

describe('a wake-up on the wall clock', () => {
  it('in whose transaction the worker is killed with -9 happens once all the same', async () => {
    const story = await hourly();
    const holder = await db.pool.connect();
    await holder.query('begin');
    const [locking] = (
      await holder.query<{ pid: number }>('select pg_backend_pid() as pid from contract where id = $1 for update', [story.contract])
    ).rows;
    const isWaiting = async () => {
      const waiting = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      expect(await db.query(waiting, [locking?.pid])).toHaveLength(1);
    };
    await eventually(isWaiting);
    await stack.kill9('worker');
    await holder.query('commit');
    holder.release();
    expect(await datesOf(story.contract)).toEqual([story.dueAt - HOUR]);
    await stack.restart('worker');
    await expectTwoHours(story);
  });

  it('that ends a freeze while no worker runs ends it as of its instant, when a worker is back', async () => {
    const { contract, dueAt } = await hourly();
    const [row] = await db.query<{ id: string }>('select customer_id as id from contract where id = $1', [contract]);
    const resumeAt = dueAt + 1_000;
    await vendor.api.made(`/v1/c/customer/${row?.id}/inactivate`, { resume_at: new Date(resumeAt).toISOString() });
    await stack.kill9('worker');
    await eventually(async () => expect(Date.now()).toBeGreaterThan(resumeAt + 1_000));
    expect((await vendor.api.read(`/v1/c/customer/${row?.id}`)).status).toBe('inactive');
    await stack.restart('worker');
    const frozen = async () => {
      const [pause] = await db.query<{ began: number; ended: number }>('select began, ended from customer_pause where customer_id = $1', [
        row?.id,
      ]);
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
    await stack.kill9('postgres');
    const pending = async () => (await handle.describe()).raw.pendingActivities?.map(({ activityType }) => activityType?.name);
    await eventually(async () => expect(await pending()).toEqual(['rollOverCycle']));
    await stack.restart('postgres');
    await expectTwoHours(story);
  });
});
