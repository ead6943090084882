import type { Queryable, Tx } from '../../db/connect.ts';
import { runningLines } from '../../db/sql/contract/running-lines.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { servers } from '../support/servers.ts';
import { metered, plan } from '../support/story-catalogue.ts';
import { StoryVendor } from '../support/story-vendor.ts';
import { newVendor } from '../support/vendor.ts';

const PARTS = 2_000;

/** A line again as one of the parts that an invoice threshold has made. */
const COPY = `insert into invoice_item select (jsonb_populate_record(i, jsonb_build_object('id', i.id || n, 'charge_key', i.charge_key || n, 'part', n))).*
  from invoice_item i cross join generate_series(2, $2::int) n where i.contract_id = $1 and i.part = 1`;

/** The rows that a step of a query plan and those below it have read and not used. */
const unusedIn = (step: AnyJson): number =>
  ['Rows Removed by Filter', 'Rows Removed by Join Filter'].reduce((sum, name) => sum + (step[name] ?? 0) * step['Actual Loops'], 0) +
  (step.Plans ?? []).reduce((sum: number, one: AnyJson) => sum + unusedIn(one), 0);

it(`a contract that waits for its change reads none of ${PARTS} parts of its usage among the lines that a change may give back`, async () => {
  const vendor = new StoryVendor(await newVendor(), (await servers()).baseUrl);
  const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
  const features = { calls: { price: metered('1') } };
  const terms = { customer, plan: await vendor.planId(plan('pro', '30', { features })), currency: 'usd', cycle: 'month' };
  const contract = await vendor.api.made('/v1/c/contract', { ...terms, invoice_threshold: '100.00' });
  await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '100' });
  const upgrade = { upgrade_strategy: 'new_plan', plan_id: await vendor.planId(plan('basic', '10', { features })) };
  await vendor.api.made(`/v1/c/contract/${contract}/upgrade`, { upgrade_configuration: upgrade });
  expect((await vendor.client.getContract(contract)).contract_summary.status).toBe('active');
  const takenBack = new Error('the copies are not kept: no invoice has them');
  const look = async (tx: Tx): Promise<never> => {
    await tx.query(COPY, [contract, PARTS]);
    const plans: AnyJson[] = [];
    const explaining: Queryable = {
      ...tx,
      query: async <R extends object>(sql: string, params: readonly unknown[] = []) => {
        const [row] = await tx.query<{ 'QUERY PLAN': AnyJson[] }>(`explain (analyze, format json) ${sql}`, params);
        plans.push(row?.['QUERY PLAN'][0].Plan);
        return [] as R[];
      },
    };
    const since = new Map([[contract, Date.now()]]);
    await runningLines(explaining, since);
    expect(plans.map(unusedIn).filter((rows) => rows >= PARTS / 10)).toEqual([]);
    const lines = (await runningLines(tx, since)).get(contract);
    expect(lines?.map(({ kind, subtotal }) => [kind, subtotal])).toEqual([['recurring', '30.00']]);
    throw takenBack;
  };
  await expect(withTestDatabase((db) => db.transaction(look))).rejects.toBe(takenBack);
});
