import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type CrashStage, crashStage, killWorkerAt } from './kit.ts';

let stage: CrashStage;

describe('the look at credits that have become less', () => {
  beforeAll(async () => {
    stage = await crashStage();
  });
  afterAll(() => stage?.close());

  it('whose worker is killed with -9 when its announcement is all but written announces each step once', async () => {
    const { db, vendor } = stage;
    const { api } = vendor;
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
    const grants: string[] = [];
    for (const amount of ['10.00', '7.00'])
      grants.push(await api.made('/v1/c/credit_grant', { customer, currency: 'usd', kind: 'promotional', amount }));
    await api.made(`/v1/c/customer/${customer}/alert`, { on: 'balance', at: ['8', '5'] });
    const announcing = { sql: 'lock table usage_alert_reached in share mode' };
    await killWorkerAt(stage, announcing, () => api.made(`/v1/c/credit_grant/${grants[0]}/void`));
    await stage.stack.restart('worker');
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
    const { hits } = await stage.vendor.api.read(`/v1/c/event?type=v1.alert.reached&object=${customer}`);
    return hits.map(({ data }: AnyJson) => `${data.step} at ${data.value}`);
  }
});
