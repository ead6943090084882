import type { AnyJson, Api } from '../support/api.ts';
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
      invoice_threshold: null,
      number: { prefix: '', width: 1, credit_note_prefix: null },
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
    await api.post(path, { invoice_trigger: { periodic: { cycle_count: 1, cycle: 'month' } } });
    const unset = { cycle_count: 1, cycle: 'month', cycle_start_offset: null };
    expect((await api.read(path)).invoice_trigger).toEqual({ periodic: unset });
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

  it('for freezes begin with the defaults; absent rules stay, null gives the default again, wrong ones are named', async () => {
    const pause = '/v1/c/preferences/pause';
    const usual = { resume_after_days: null, usage: 'refuse', trial: 'move', expiration: 'move', discount: 'move' };
    const shown = (rules: AnyJson) => ({ ...rules, pause_rules: rules });
    expect(await api.read(pause)).toEqual(shown(usual));
    expect(await api.post(pause, { resume_after_days: 30, usage: 'hold' })).toMatchObject({ status: 200, body: null });
    await api.post(pause, { pause_rules: { trial: 'run_on', usage: null } });
    expect(await api.read(pause)).toEqual(shown({ ...usual, resume_after_days: 30, trial: 'run_on' }));
    await api.post(pause, { resume_after_days: null, trial: null });
    expect(await api.read(pause)).toEqual(shown(usual));
    const wrong = await api.post(pause, { resume_after_days: 0, usage: 'keep', trial: 'stop', days: 3, pause_rules: { discount: 1 } });
    expect([wrong.status, Object.keys(feedback(wrong)).toSorted()]).toEqual([
      400,
      ['days', 'pause_rules.discount', 'resume_after_days', 'trial', 'usage'],
    ]);
    for (const resume_after_days of [0.5, -1, 3_651, '30']) expect((await api.post(pause, { resume_after_days })).status).toBe(400);
  });

  it('for freezes stand on a plan too, each rule alone; null is a rule of days only', async () => {
    const pricings = [
      { currency: 'usd', cycle: 'month', price: { amount: '1', strategy_details: { pricing_strategy: 'flat' } }, features: {} },
    ];
    const body = { slug: 'paused', internal_name: 'Paused', strategy: 'plan', features: [], pricings };
    const id = await api.made('/v1/c/plan', { ...body, pause_rules: { resume_after_days: null, usage: 'hold', trial: null } });
    const rules = { usage: 'hold', trial: null, expiration: null, discount: null };
    expect((await api.read(`/v1/c/plan/${id}`)).pause_rules).toEqual({ resume_after_days: null, ...rules });
    await api.made('/v1/c/plan', { id, pause_rules: { usage: 'hold' } });
    expect((await api.read(`/v1/c/plan/${id}`)).pause_rules).toEqual(rules);
    await api.made('/v1/c/plan', { id, pause_rules: null });
    expect((await api.read(`/v1/c/plan/${id}`)).pause_rules).toEqual({ ...rules, usage: null });
    const wrong = await api.post('/v1/c/plan', { id, pause_rules: { expiration: 'later' } });
    expect([wrong.status, Object.keys(feedback(wrong))]).toEqual([400, ['pause_rules.expiration']]);
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
