import { HOUR } from '../../billing/calendar/instant.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { eventually } from '../support/eventually.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';
import { type CrashStage, crashStage, killWorkerAt } from './kit.ts';

let stage: CrashStage;

describe('a wallet that pays in steps', () => {
  beforeAll(async () => {
    stage = await crashStage();
  });
  afterAll(() => stage?.close());

  it('whose worker is killed with -9 in the second of them pays each of 250 invoices once', async () => {
    const { db, vendor } = stage;
    const { api } = vendor;
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
    const hourly: string = await api.made('/v1/c/plan', planToSave(plan('hourly', '10', { cycle: 'hour' })));
    const activation = new Date(Date.now() - 250 * HOUR + HOUR / 2).toISOString();
    await api.made('/v1/c/contract', { customer, plan: hourly, currency: 'usd', cycle: 'hour', activation });
    const invoices = () =>
      db.query<{ id: string; status: string }>('select id, status from invoice where customer_id = $1 order by due_date', [customer]);
    await eventually(async () => expect(await invoices()).toHaveLength(250), { every: 200 });
    const last = { sql: 'select from invoice where id = $1 for update', params: [(await invoices()).at(-1)?.id] };
    const given = { currency: 'usd', amount: '2505.00', description: 'By hand' };
    await killWorkerAt(stage, last, () => api.made(`/v1/c/customer/${customer}/wallet/transaction`, given));
    const paid = async () => (await invoices()).filter(({ status }) => status === 'paid').length;
    expect(await paid()).toBe(200);
    await stage.stack.restart('worker');
    await eventually(async () => expect(await paid()).toBe(250), { every: 200 });
    const { balances, transactions } = await api.read(`/v1/c/customer/${customer}/wallet`);
    expect([balances[0].balance, transactions.at(-1).balance_after]).toEqual(['5.00', '5.00']);
    const payments = await db.query('select count(*)::int as n from wallet_transaction where kind = $1 and invoice_id = any($2)', [
      'payment',
      (await invoices()).map(({ id }) => id),
    ]);
    expect(payments).toEqual([{ n: 250 }]);
    expect(await checkLedger(db)).toEqual([]);
  });
});
