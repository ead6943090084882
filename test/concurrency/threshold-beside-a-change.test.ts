import { connect, type Database } from '../../db/connect.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { servers } from '../support/servers.ts';
import { metered, perUnit, plan } from '../support/story-catalogue.ts';
import type { Hit } from '../support/story-lines.ts';
import { StoryVendor } from '../support/story-vendor.ts';
import { newVendor } from '../support/vendor.ts';

let db: Database;
let vendor: StoryVendor;
beforeAll(async () => {
  const { databaseUrl, baseUrl } = await servers();
  db = await connect({ databaseUrl, databasePool: 4 });
  vendor = new StoryVendor(await newVendor(), baseUrl);
});
afterAll(() => db.close());

const pro = plan('pro', '1', { features: { seats: { price: perUnit('5') }, calls: { price: metered('1') } } });

// one event is decided alone, several are recorded as a group
it.each([['50'], ['20', '20', '10']])(
  'usage of %s that waits for a change of its contract reaches the threshold in the new one',
  async (...units) => {
    const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
    const terms = { customer, plan: await vendor.planId(pro), currency: 'usd', cycle: 'month', invoice_threshold: '100.00' };
    const contract = await vendor.api.made('/v1/c/contract', terms);
    const event = (some: string) => ({ customer_id: customer, feature_slug: 'calls', units: some });
    const uses = (...some: string[]) => vendor.api.made('/v1/c/usage/bulk', some.map(event));
    await uses('60');
    const seats = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '2' } };
    const begun: Promise<string>[] = [];
    await db.transaction(async (tx) => {
      await tx.query('select vendor_id from invoice_counter where vendor_id = $1 for update', [vendor.vendorId]);
      begun.push(vendor.api.made(`/v1/c/contract/${contract}/upgrade`, { upgrade_configuration: seats }));
      await eventually(async () => expect(await waitingFor(tx, db)).toBe(1));
      begun.push(uses(...units));
      await eventually(async () => expect(await waitingFor(tx, db)).toBe(2));
    });
    const [successor] = await Promise.all(begun);
    const hits: Hit[] = await vendor.client.listInvoices({ customer, limit: 100 }).all();
    const early = hits.filter(({ invoice_items }) => invoice_items.some(({ name }) => name === 'Calls'));
    expect(early.map(({ invoice }) => [invoice.contract_id, invoice.total])).toEqual([[successor, '110.00']]);
  },
);
