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

/** A customer with a card who has bought credits of 1.00. */
async function payer(): Promise<string> {
  const { api } = vendor;
  const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
  await api.made(`/v1/c/customer/${customer}/activate`);
  await api.made('/v1/c/credit_grant', { customer, currency: 'usd', amount: '1', kind: 'purchased' });
  const session = { operation: 'add_method', provider: 'sandbox' };
  const { token } = await api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, session);
  await api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
  const first = () => api.read(`/v1/c/credit_grant?customer=${customer}`);
  await eventually(async () => expect((await first()).hits).toMatchObject([{ status: 'active' }]));
  return customer;
}

describe('a top-up', () => {
  it('whose worker is killed with -9 when its purchase is all but committed buys once', async () => {
    const { api } = vendor;
    const customer = await payer();
    const holder = await db.pool.connect();
    await holder.query('begin');
    const [counter] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid from invoice_counter for update')).rows;
    const terms = { currency: 'usd', below: '10', amount: '50', price: '45', at_most_per_month: '500' };
    await api.made(`/v1/c/customer/${customer}/top_up`, terms);
    const isWaiting = async () => {
      const waiting = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      expect(await db.query(waiting, [counter?.pid])).toHaveLength(1);
    };
    await eventually(isWaiting);
    await stack.kill9('worker');
    await holder.query('commit');
    holder.release();
    await stack.restart('worker');
    const bought = async () => {
      const { hits } = await api.read(`/v1/c/credit_grant?customer=${customer}`);
      expect(hits.map(({ price, status }: AnyJson) => `${price} ${status}`)).toEqual(['1.00 active', '45.00 active']);
    };
    await eventually(bought, { every: 200 });
    const open = () => db.query(`select kind from agenda where customer_id = $1`, [customer]);
    await eventually(async () => expect(await open()).toEqual([]));
    await bought();
    const [taken] = await db.query(`select count(*)::int as n, sum(amount)::text as sum from sandbox_charge where status = 'taken'`);
    expect(taken).toEqual({ n: 2, sum: '46.00' });
    expect(await checkLedger(db)).toEqual([]);
  });
});
