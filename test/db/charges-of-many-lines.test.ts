import type { CataloguePlan } from '../../db/plan/plan.ts';
import { chargeOnDemand } from '../../services/contract/charge-on-demand.ts';
import { closeUsagePeriod } from '../../services/contract/close-usage-period.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const COPIES = `
  insert into invoice_item
  select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'charge_key', i.charge_key || ':' || n))).*
  from invoice_item i, generate_series(1, $2::int) n where i.contract_id = $1 and i.kind = 'on_demand'`;

const vendor = countedVendor('Of many lines');

/** A contract whose lines wait for a call: a jet at 5.00 on demand, calls at 0.10. */
async function signs(): Promise<string> {
  const { db, vendorId } = vendor;
  const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
  const flat = flatPlan('10.00', { calls: '0.10' });
  const jet = { id: 'Feat_of_many_lines', slug: 'jet', name: 'Jet', chargeTrigger: 'on_demand' as const, group: null, value: null };
  const features = { ...flat.pricings[0]?.features, jet: { ...flatPlan('5.00').pricings[0]?.price, id: 'Price_of_many_lines' } };
  const plan = { ...flat, features: [...flat.features, jet], pricings: [{ ...flat.pricings[0], features }] } as CataloguePlan;
  return db.transaction(async (tx) => {
    await savePlan(tx, vendorId, plan, Date.now());
    await insertCustomer(tx, customer, Date.now());
    return signContract(tx, { ...signInput(vendorId, customer.id, plan.id), configuration: { invoiceTrigger: 'manual' } });
  });
}

it('an on-demand charge and a period closed by hand read none of 1,000 lines that wait for a call', async () => {
  const { db, vendorId } = vendor;
  const contractId = await signs();
  const call = { vendorId, contractId };
  const charges = () => vendor.during(() => db.transaction((tx) => chargeOnDemand(tx, call, { slug: 'jet', units: null })));
  await charges();
  await db.query(COPIES, [contractId, 1_000]);
  expect((await charges()).rows).toBeLessThanOrEqual(50);
  expect((await vendor.during(() => db.transaction((tx) => closeUsagePeriod(tx, call, 1)))).rows).toBeLessThanOrEqual(50);
  const waiting = await db.query(
    'select total_including_tax::text as total from invoice_item where contract_id = $1 and invoice_id is null',
    [contractId],
  );
  const sums = Map.groupBy(waiting, ({ total }: { total?: string }) => total);
  expect([...sums].map(([total, some]) => [total, some.length])).toEqual([
    ['10.00', 1],
    ['5.00', 1_002],
    ['0.00', 1],
  ]);
});
