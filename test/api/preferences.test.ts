import type { Api } from '../support/api.ts';
import { checkedVendor, feedback, signedContract } from './support.ts';

describe('preferences', () => {
  let api: Api;
  let vendor: Awaited<ReturnType<typeof checkedVendor>>;
  beforeAll(async () => {
    vendor = await checkedVendor();
    api = vendor.api;
  });
  const path = '/v1/c/preferences/invoicing';

  it('for invoicing begin with the documented defaults; an empty field changes nothing', async () => {
    const first = {
      automatic_payment: true,
      due_date_policy: 'start_of_period',
      net_days: 0,
      invoice_trigger: 'immediate',
      usage_period_closing_policy: 'automatic',
    };
    expect(await api.read(path)).toEqual(first);
    expect(await api.post(path, { due_date_policy: 'end_of_period', automatic_payment: null })).toMatchObject({ status: 200, body: null });
    expect(await api.read(path)).toEqual({ ...first, due_date_policy: 'end_of_period' });
    await api.post(path, {});
    await api.post(path);
    const empty = { automatic_payment: '', due_date_policy: '', invoice_trigger: '', usage_period_closing_policy: '' };
    expect(await api.post(path, empty)).toMatchObject({ status: 200, body: null });
    expect(await api.read(path)).toEqual({ ...first, due_date_policy: 'end_of_period' });
  });

  it('for invoicing accept every trigger and policy, and name wrong values', async () => {
    const periodic = { periodic: { cycle_count: 2, cycle: 'month', cycle_start_offset: 0 } };
    for (const invoice_trigger of ['manual', 'every_cycle', periodic, 'immediate']) {
      await api.post(path, { invoice_trigger });
      expect((await api.read(path)).invoice_trigger).toEqual(invoice_trigger);
    }
    for (const usage_period_closing_policy of ['15 minutes', '1 hour', '1 day', 'manual', 'automatic']) {
      await api.post(path, { usage_period_closing_policy });
      expect((await api.read(path)).usage_period_closing_policy).toBe(usage_period_closing_policy);
    }
    const wrong = await api.post(path, { invoice_trigger: 'weekly', usage_period_closing_policy: '2 hours', due_date: 'x' });
    expect([wrong.status, Object.keys(feedback(wrong)).toSorted()]).toEqual([
      400,
      ['due_date', 'invoice_trigger', 'usage_period_closing_policy'],
    ]);
    const inside = await api.post(path, { invoice_trigger: { periodic: { cycle_count: 0, cycle: 'month', cycle_start_offset: 0 } } });
    expect(Object.keys(feedback(inside))).toEqual(['invoice_trigger.periodic.cycle_count']);
    expect(feedback(wrong).invoice_trigger).toMatch(/^must be one of "immediate", "manual", "every_cycle", or must be an object, not /);
  });

  it('are copied when a contract is signed: later edits don’t change it', async () => {
    const { contractId } = await signedContract(vendor);
    await api.post(path, { automatic_payment: false });
    expect((await api.read(`/v1/c/contract/${contractId}`)).contract_summary.configuration.automatic_payment).toBe(true);
  });

  it('for taxes are written and read back; absent fields stay, rates are replaced as a whole', async () => {
    const tax = '/v1/c/preferences/tax';
    expect(await api.read(tax)).toEqual({ rates: [], policy: 'tax_included', seller: null });
    const address = { line_1: '1 Main St', line_2: null, city: 'Berlin', state: null, zip: '10115', country: 'DE' };
    const rates = [
      { tax_code: null, country: 'DE', state: null, rate: '0.19' },
      { tax_code: 'books', country: 'DE', state: null, rate: '0.07' },
    ];
    await api.post(tax, { rates, policy: 'tax_excluded', seller: { name: 'Us', address, vat_id: 'DE1' } });
    expect(await api.read(tax)).toEqual({ rates, policy: 'tax_excluded', seller: { name: 'Us', address, vat_id: 'DE1' } });
    await api.post(tax, { rates: [{ rate: 0.2 }] });
    expect(await api.read(tax)).toMatchObject({
      rates: [{ tax_code: null, country: null, rate: '0.2' }],
      policy: 'tax_excluded',
      seller: { name: 'Us' },
    });
    expect(await api.post(tax, { rates: [{ country: 'DE', rate: '19' }] })).toMatchObject({ status: 400 });
    const elsewhere = { rates: [{ country: 'EL', rate: '0.24' }], seller: { name: 'Us', address: { ...address, country: 'UK' } } };
    expect(feedback(await api.post(tax, elsewhere))).toEqual({
      'rates[0].country': 'must be an assigned ISO 3166-1 alpha-2 code: GR instead of EL',
      'seller.address.country': 'must be an assigned ISO 3166-1 alpha-2 code: GB instead of UK',
    });
  });
});
