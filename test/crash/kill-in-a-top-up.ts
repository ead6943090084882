import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type CrashStage, crashStage, killWorkerAt } from './kit.ts';

let stage: CrashStage;

/** A customer with a card who has bought credits of 1.00. */
async function payer(): Promise<string> {
  const { api } = stage.vendor;
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
  beforeAll(async () => {
    stage = await crashStage();
  });
  afterAll(() => stage?.close());

  it('whose worker is killed with -9 when its purchase is all but committed buys once', async () => {
    const { db, vendor } = stage;
    const { api } = vendor;
    const charged = async () => {
      const [taken] = await db.query(
        `select count(*)::int as n, coalesce(sum(amount), 0)::text as sum from sandbox_charge where status = 'taken'`,
      );
      return taken;
    };
    expect(await charged()).toEqual({ n: 0, sum: '0' });
    const customer = await payer();
    const terms = { currency: 'usd', below: '10', amount: '50', price: '45', at_most_per_month: '500' };
    const numbering = { sql: 'select from invoice_counter for update' };
    await killWorkerAt(stage, numbering, () => api.made(`/v1/c/customer/${customer}/top_up`, terms));
    await stage.stack.restart('worker');
    const bought = async () => {
      const { hits } = await api.read(`/v1/c/credit_grant?customer=${customer}`);
      expect(hits.map(({ price, status }: AnyJson) => `${price} ${status}`)).toEqual(['1.00 active', '45.00 active']);
    };
    await eventually(bought, { every: 200 });
    const open = () => db.query(`select kind from agenda where customer_id = $1`, [customer]);
    await eventually(async () => expect(await open()).toEqual([]));
    await bought();
    expect(await charged()).toEqual({ n: 2, sum: '46.00' });
    expect(await checkLedger(db)).toEqual([]);
  });
});
