import { HOUR } from '../../billing/calendar/instant.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

describe('a rollover on the wall clock', () => {
  it('makes exactly one invoice each for 40 contracts due at one instant, whichever workflow bills whom', async () => {
    const plan = await kit.plan('1.00', { cycle: 'hour' });
    const dueAt = Date.now() + 12_000;
    const ids: string[] = [];
    for (let i = 0; i < 40; i += 1) ids.push(await kit.sign(await kit.customer(), plan, { activation: dueAt - HOUR }));
    await eventually(async () => {
      const rows = await kit.db.query<{ id: string }>('select id from contract where id = any($1::text[]) and current_idx = 2', [ids]);
      expect(rows).toHaveLength(40);
    });
    const made = await kit.db.query<{ contract_id: string }>(
      'select contract_id from invoice where contract_id = any($1::text[]) and date = $2',
      [ids, new Date(dueAt).toISOString()],
    );
    expect(made.map((row) => row.contract_id).sort()).toEqual([...ids].sort());
    const [series] = await kit.db.query<{ last: string; n: string }>(
      'select max(number)::text as last, count(*)::text as n from invoice where vendor_id = $1',
      [kit.vendorId],
    );
    expect(series?.last).toBe(series?.n);
  });
});

describe('what operators see', () => {
  it('says in words who, which plan, which period and what comes next', async () => {
    const activation = Date.now() - HOUR / 2;
    const id = await kit.sign(await kit.customer(), await kit.plan('1.00', { cycle: 'hour' }), { activation });
    const state = await kit.look(id);
    expect(state.contracts).toMatchObject([{ contractId: id, status: 'active' }]);
    expect(state.waitingFor).toMatch(/: period 2 starts$/);
    const { searchAttributes } = await kit.client.workflow.getHandle(id).describe();
    expect(searchAttributes).toMatchObject({
      PerennialContracts: [id],
      PerennialStatus: ['active'],
      PerennialParked: [false],
      PerennialVendor: [kit.vendorId],
    });
  });

  it('names the very instant for lone contracts: each looks when it is due', async () => {
    const plan = await kit.plan('1.00', { cycle: 'hour' });
    const sign = async () => kit.sign(await kit.customer(), plan, { activation: Date.now() - HOUR / 2 });
    for (const id of await Promise.all(Array.from({ length: 4 }, sign))) {
      const state = await kit.look(id);
      expect(state.due[0]?.at).toBeGreaterThan(Date.now());
      expect(state.wakeAt).toBe(state.due[0]?.at);
    }
  });
});
