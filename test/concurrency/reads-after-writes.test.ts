import { promisify } from 'node:util';
import { planBody, signedContract } from '../api/support.ts';
import { type Api, api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

/** One turn of the event loop. */
const turn = promisify(setImmediate);

/**
 * Calls again and again, several at a time, until the work is done: what is read meanwhile shares statements with it.
 */
async function besides<T>(calls: (() => Promise<unknown>)[], work: () => Promise<T>): Promise<T> {
  let over = false;
  const loops = calls.map(async (call) => {
    while (!over) await call();
  });
  try {
    return await work();
  } finally {
    over = true;
    await Promise.all(loops);
  }
}

describe('a read that begins after a write was answered sees it, in either of two API processes that read all the time', () => {
  let vendor: TestVendor;
  let second: SecondApi;
  let both: [Api, Api];
  beforeAll(async () => {
    [vendor, second] = await Promise.all([newVendor(), secondApi()]);
    both = [vendor.api, api(vendor.apiKey, second.baseUrl)];
  });
  afterAll(() => second.stop());

  const access = (customerId: string) => `/v1/c/entitlement/${customerId}/access`;
  const readers = (...paths: string[]) => both.flatMap((one) => [...paths, ...paths].map((path) => () => one.get(path)));
  const usedIn = async (one: Api, customerId: string, slug: string): Promise<string> => {
    const { plan } = await one.read(access(customerId));
    return plan.features.find((feature: { slug: string }) => feature.slug === slug).entitlement_details.used_unit_count;
  };

  it('usage: 40 events one after the other, each counted at once in both', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    await besides(readers(access(customerId), `/v1/c/contract/${contractId}`), async () => {
      for (let sent = 1; sent <= 40; sent += 1) {
        await both[sent % 2]?.made('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1.5' });
        const units = String(sent * 1.5);
        expect(await Promise.all(both.map((one) => usedIn(one, customerId, 'calls')))).toEqual([units, units]);
        const details = await Promise.all(both.map((one) => one.read(`/v1/c/contract/${contractId}`)));
        const shown = details.map(
          ({ plan }) => plan.features.find(({ slug }: { slug: string }) => slug === 'calls').price.strategy_details,
        );
        expect(shown.map(({ units_used }) => units_used)).toEqual([units, units]);
      }
    });
  });

  it('freeze and activate: features gone and back at once, five times', async () => {
    const { customerId } = await signedContract(vendor);
    const features = () => Promise.all(both.map(async (one) => (await one.read(access(customerId))).plan.features.length));
    await besides(readers(access(customerId)), async () => {
      for (let round = 0; round < 5; round += 1) {
        await vendor.api.made(`/v1/c/customer/${customerId}/inactivate`, { notes: 'overdue' });
        expect(await features()).toEqual([0, 0]);
        await vendor.api.made(`/v1/c/customer/${customerId}/activate`, { notes: 'paid' });
        expect(await features()).toEqual([4, 4]);
      }
    });
  });

  it('a change of the contract: the new terms at once, in entitlement and detail', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const bigger = await vendor.api.made('/v1/c/plan', planBody(`bigger-${customerId.slice(-12)}`, '99'));
    await besides(readers(access(customerId), `/v1/c/contract/${contractId}`), async () => {
      const changed = await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, {
        upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger },
      });
      for (const one of both) {
        const { contract, plan } = await one.read(access(customerId));
        expect([contract.contract_id, plan.original_plan_id]).toEqual([changed, bigger]);
        expect((await one.read(`/v1/c/contract/${contractId}`)).contract_summary.status).toBe('moved');
        expect((await one.read(`/v1/c/contract/${changed}`)).plan.price.amount).toBe('99.00');
      }
    });
  });

  it('a write that forgets to count the version of a row', async () => {
    const { customerId } = await signedContract(vendor);
    expect((await both[1].read(access(customerId))).plan.name).toMatch(/^plan-/);
    await withTestDatabase((db) =>
      db.query(`update contract set terms = jsonb_set(terms, '{externalName}', '"renamed by hand"') where customer_id = $1`, [customerId]),
    );
    expect((await both[1].read(access(customerId))).plan.name).toBe('renamed by hand');
  });

  it('what stands beside a contract: the name of its customer, the tax, a freeze', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const shown = async () => {
      const [here, there] = await Promise.all(both.map((one) => one.read(`/v1/c/contract/${contractId}`)));
      expect(here).toEqual(there);
      return here;
    };
    const before = await shown();
    await vendor.api.made('/v1/c/customer', { id: customerId, name: 'Renamed' });
    expect((await shown()).contract_summary.customer).toBe('Renamed');
    await vendor.api.post('/v1/c/preferences/tax', { rates: [{ rate: '0.2' }], policy: 'tax_excluded' });
    const { price } = (await shown()).plan;
    expect([before.plan.price.total_charge_estimate.total, price.total_charge_estimate.total]).toEqual(['29.00', '34.80']);
    await vendor.api.made(`/v1/c/customer/${customerId}/inactivate`, { notes: 'overdue' });
    await vendor.api.made(`/v1/c/customer/${customerId}/activate`, { notes: 'paid' });
    expect((await shown()).contract_summary.next_cycle_start).not.toBe(before.contract_summary.next_cycle_start);
  });

  it('a revoked key: refused at once for reads and usage, and what it sent before is counted once', async () => {
    const { customerId } = await signedContract(vendor);
    const { id, key } = await vendor.api.made<{ id: string; key: string }>('/v1/c/api_key', { name: 'short', scope: 'full' });
    const revoked = [api(key), api(key, second.baseUrl)];
    const report = (one: Api) => one.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' });
    const busy = revoked.flatMap((one) => [() => one.get(access(customerId)), () => one.get('/v1/c/plan')]);
    await besides(busy, async () => {
      for (const one of revoked) expect((await report(one)).status).toBe(200);
      await turn();
      await vendor.api.made(`/v1/c/api_key/${id}/revoke`);
      for (const one of revoked) {
        expect((await one.get(access(customerId))).status).toBe(401);
        expect((await report(one)).status).toBe(401);
      }
    });
    expect(await usedIn(both[1], customerId, 'calls')).toBe('2');
  });
});
