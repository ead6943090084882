import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { exportedLines } from '../support/exported.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

let vendor: TestVendor;
let customer: string;
let contract: string;
beforeAll(async () => {
  vendor = await newVendor('exported');
  const { api } = vendor;
  const price = { amount: '30.00', strategy_details: { pricing_strategy: 'flat' } };
  const calls = {
    amount: '0.01',
    strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' },
  };
  const pricings = [{ currency: 'usd', cycle: 'month', price, features: { calls } }];
  const plan = { slug: 'pro', internal_name: 'Pro', strategy: 'plan', features: [{ slug: 'calls', name: 'Calls' }], pricings };
  const planId = await api.made('/v1/c/plan', plan);
  customer = await api.made('/v1/c/customer', { name: 'Ada', emails: { main: 'ada@example.com' } });
  await api.made(`/v1/c/customer/${customer}/activate`, {});
  contract = await api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month' });
  await api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '0' });
});

const exported = (noun: string, after?: string): Promise<AnyJson[]> => exportedLines(vendor.vendorId, noun, after);
const hitsOf = async (path: string): Promise<AnyJson[]> => (await vendor.api.get(path)).body.hits;
const sorted = (rows: AnyJson[], key: string) => rows.toSorted((one, other) => (one[key] < other[key] ? -1 : 1));

describe('exported rows', () => {
  // the worker may still try to collect the invoice: both are read again until nothing comes between
  it('are what the API shows of invoices, their lines, usage, postings, events and contracts', () =>
    eventually(async () => {
      const invoices = await hitsOf('/v1/c/invoice');
      expect(invoices).toHaveLength(1);
      const [{ invoice, invoice_items, amount_due }] = invoices;
      expect(await exported('invoice')).toEqual([{ cursor: expect.stringMatching(/^invoice\./), invoice, amount_due }]);
      expect(await exported('invoice_item')).toEqual(
        invoice_items.map((item: AnyJson) => ({
          cursor: expect.stringMatching(/^invoice_item\./),
          invoice_item: item,
          customer_id: customer,
          contract_id: contract,
          voided: false,
        })),
      );
      expect((await exported('usage')).map(({ usage }) => usage)).toEqual(await hitsOf('/v1/c/usage'));
      const postings = (await exported('posting')).map(({ posting }) => posting);
      expect(postings.length).toBeGreaterThan(1);
      expect(sorted(postings, 'account')).toEqual(sorted(await hitsOf('/v1/c/ledger?limit=100'), 'account'));
      const events = (await exported('event')).map(({ event }) => event);
      expect(sorted(events, 'id')).toEqual(sorted(await hitsOf('/v1/c/event?limit=100'), 'id'));
      expect((await exported('contract')).map((line) => line.contract)).toEqual(await hitsOf('/v1/c/contract'));
    }));

  it('come again with what changed: a line with its invoice, a contract with its customer, and an erased customer', async () => {
    const nouns = ['invoice', 'invoice_item', 'contract', 'customer'];
    const ends = new Map<string, string>();
    for (const noun of nouns) ends.set(noun, (await exported(noun)).at(-1).cursor);
    for (const noun of nouns) expect(await exported(noun, ends.get(noun))).toEqual([]);
    const [{ invoice }] = await hitsOf('/v1/c/invoice');
    await vendor.api.made(`/v1/c/invoice/${invoice.id}/pay`, { method: 'manual', reference: 'wire 17' });
    expect((await exported('invoice', ends.get('invoice'))).map((line) => [line.invoice.status, line.amount_due])).toEqual([
      ['paid', '0.00'],
    ]);
    expect((await exported('invoice_item', ends.get('invoice_item'))).map((line) => line.invoice_item.status)).toEqual(['paid']);
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' } });
    ends.set('contract', (await exported('contract')).at(-1).cursor);
    // the last step of an erasure changes the customer again, which an export that ends before it leaves to the next
    const erase = () => vendor.api.post(`/v1/c/customer/${customer}/erase`, {});
    await eventually(async () => expect((await erase()).body.ended).toEqual(expect.any(String)));
    const erased = await exported('customer', ends.get('customer'));
    expect(erased.map((line) => [line.customer.id, line.customer.name, line.customer.emails])).toEqual([[customer, '', {}]]);
    expect((await exported('contract', ends.get('contract'))).map((line) => line.contract.customer)).toEqual(['']);
  });
});
