import { connect, type Database } from '../../db/connect.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';

let stack: OwnStack;
let vendor: TestVendor;
let db: Database;
beforeAll(async () => {
  stack = await ownStack();
  vendor = await stack.newVendor();
  db = await connect({ databaseUrl: stack.servers.databaseUrl, databasePool: 2 });
});
afterAll(async () => {
  await db?.close();
  await stack?.stop();
});

describe('the look at credits that have become less', () => {
  it('whose worker is killed with -9 when its announcement is all but written announces each step once', async () => {
    const { api } = vendor;
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
    const grants: string[] = [];
    for (const amount of ['10.00', '7.00'])
      grants.push(await api.made('/v1/c/credit_grant', { customer, currency: 'usd', kind: 'promotional', amount }));
    await api.made(`/v1/c/customer/${customer}/alert`, { on: 'balance', at: ['8', '5'] });
    const holder = await db.pool.connect();
    await holder.query('begin');
    await holder.query('lock table usage_alert_reached in share mode');
    const [own] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    await api.made(`/v1/c/credit_grant/${grants[0]}/void`);
    const isWaiting = async () => {
      const waiting = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      expect(await db.query(waiting, [own?.pid])).toHaveLength(1);
    };
    await eventually(isWaiting);
    await stack.kill9('worker');
    await holder.query('commit');
    holder.release();
    await stack.restart('worker');
    const left = () => db.query('select kind from agenda where customer_id = $1', [customer]);
    await eventually(async () => expect(await left()).toEqual([]), { every: 200 });
    expect(await announced(customer)).toEqual(['8 at 7.00']);
    await api.made(`/v1/c/credit_grant/${grants[1]}/void`);
    await eventually(async () => expect(await left()).toEqual([]), { every: 200 });
    expect(await announced(customer)).toEqual(['8 at 7.00', '5 at 0.00']);
    expect(await checkLedger(db)).toEqual([]);
  });

  /** What was announced of the balance, in the order of time. */
  async function announced(customer: string): Promise<string[]> {
    const { hits } = await vendor.api.read(`/v1/c/event?type=v1.alert.reached&object=${customer}`);
    return hits.map(({ data }: AnyJson) => `${data.step} at ${data.value}`);
  }
});
