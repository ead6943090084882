import type { AnyJson, Api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, flatPrice, planBody, signedContract } from './support.ts';

const UNKNOWN = 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';

describe('entitlements', () => {
  let vendor: TestVendor;
  let api: Api;
  beforeAll(async () => {
    vendor = await checkedVendor();
    api = vendor.api;
  });

  it('show each feature with what was bought and used', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    await api.made('/v1/c/usage', { customer_id: customerId, feature_slug: 'seats', units: '3' });
    const access = await api.read(`/v1/c/entitlement/${customerId}/access`);
    expect(access).toMatchObject({
      contract: { contract_id: contractId, status: 'active' },
      customer: { status: 'temporary' },
      others: [],
    });
    expect(access.plan.features.map((feature: { slug: string }) => feature.slug)).toEqual(['seats', 'calls', 'sso', 'report']);
    expect(access.plan.features[0].entitlement_details).toEqual({
      pricing_strategy: 'per_unit',
      contracted_unit_count: '5',
      used_unit_count: '3',
      unit_name: 'seat',
      minimum_units: '0',
      maximum_units: '50',
    });
  });

  it('show what a feature gives in the place of a price, as it was when the contract was signed', async () => {
    const features = [
      { slug: 'support', name: 'Support', value: 'within a day' },
      { slug: 'audit', name: 'Audit log', value: true },
      { slug: 'sso', name: 'Single sign-on' },
    ];
    const pricings = [{ currency: 'usd', cycle: 'month', price: flatPrice('1') }];
    const plan = await api.made('/v1/c/plan', planBody('values', '1', { features, pricings }));
    const customer = await api.made('/v1/c/customer', { name: 'Values' });
    const contract = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    await api.made('/v1/c/plan', { id: plan, features: [{ ...features[0], value: 'within an hour' }] });
    const details = (of: AnyJson) => of.features.map((one: AnyJson) => one.entitlement_details);
    expect(details((await api.read(`/v1/c/entitlement/${customer}/access`)).plan)).toEqual([
      { pricing_strategy: 'flat', value: 'within a day' },
      { pricing_strategy: 'flat', value: true },
      { pricing_strategy: 'flat' },
    ]);
    const { plan: copy } = await api.read(`/v1/c/contract/${contract}`);
    expect(copy.features.map((one: AnyJson) => one.value)).toEqual(['within a day', true, null]);
  });

  it('of a customer without a contract are null, of an unknown customer a 404', async () => {
    const id = await api.made('/v1/c/customer', { name: 'new' });
    expect((await api.get(`/v1/c/entitlement/${id}/access`)).body).toEqual({
      contract: null,
      customer: { status: 'temporary' },
      plan: null,
      others: [],
    });
    expect((await api.get(`/v1/c/entitlement/${id}/billing`)).body.payment).toEqual({
      payment_provider: 'self_handled',
      unpaid_invoices_info: [],
      wallet_balance: '0.00',
      wallet_balances: [],
      next_payment_due: null,
    });
    expect(await api.get(`/v1/c/entitlement/${UNKNOWN}/access`)).toMatchObject({ status: 404, body: { code: 'customer_not_found' } });
    expect(await api.get(`/v1/c/entitlement/${UNKNOWN}/billing`)).toMatchObject({ status: 404 });
  });

  it('describe the most recently activated contract or the requested one; the others are listed too', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const second = planBody('second', '5', { features: [{ slug: 'extra', name: 'Extra' }] });
    const plan = await api.made('/v1/c/plan', { ...second, pricings: [{ ...second.pricings[0], features: {} }] });
    const later = await api.made('/v1/c/contract', { customer: customerId, plan, currency: 'usd', cycle: 'month' });
    const access = await api.read(`/v1/c/entitlement/${customerId}/access`);
    expect([access.contract.contract_id, access.others[0].contract.contract_id]).toEqual([later, contractId]);
    const asked = await api.read(`/v1/c/entitlement/${customerId}/access?contract_id=${contractId}`);
    expect([asked.contract.contract_id, asked.others[0].contract.contract_id]).toEqual([contractId, later]);
    const billing = await api.read(`/v1/c/entitlement/${customerId}/billing?contract_id=${contractId}`);
    expect([billing.contract.contract_id, billing.others[0].contract.contract_id]).toEqual([contractId, later]);
    expect(await api.get(`/v1/c/entitlement/${customerId}/access?contract_id=${UNKNOWN.replace('Cust', 'Cont')}`)).toMatchObject({
      status: 404,
    });
  });

  it('show what is unpaid by currency, and when the next payment is due', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const { customerId } = await signedContract(vendor, { test_clock: clock.id });
    await clock.advanceTo('2025-02-01T00:00:00Z');
    const { payment } = await api.read(`/v1/c/entitlement/${customerId}/billing`);
    expect(payment.unpaid_invoices_info).toMatchObject([
      {
        currency: 'usd',
        payment_threshold: '0.00',
        total_unpaid: '158.00',
        unpaid_invoices: [
          { amount: '79.00', due_date: '2025-01-01T00:00:00.000Z', status: 'ready_for_payment' },
          { amount: '79.00', due_date: '2025-02-01T00:00:00.000Z' },
        ],
      },
    ]);
    expect(payment.next_payment_due).toBe('2025-01-01T00:00:00.000Z');
    const early = await api.read(`/v1/c/entitlement/${customerId}/billing?due_date_before=2025-02-01T00:00:00Z`);
    expect(early.payment.unpaid_invoices_info[0].total_unpaid).toBe('79.00');
    await api.made(`/v1/c/customer/${customerId}/wallet/transaction`, { currency: 'usd', amount: '200', description: 'a gift' });
    const paid = await api.read(`/v1/c/entitlement/${customerId}/billing`);
    expect(paid.payment).toMatchObject({
      unpaid_invoices_info: [],
      wallet_balance: '42.00',
      wallet_balances: [{ balance: '42.00', currency: 'usd', customer_id: customerId, wb_customer_id: vendor.vendorId }],
      next_payment_due: '2025-03-01T00:00:00.000Z',
    });
  });

  it('show when the next payment is due with nothing owed: at the end of the next cycle under end_of_period, null when there is none', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const planId = await api.made('/v1/c/plan', planBody('paid-at-the-end'));
    const terms = { plan: planId, currency: 'usd', cycle: 'month', due_date_policy: 'end_of_period' };
    const signed = async (more: Record<string, unknown>): Promise<[string, string]> => {
      const customer: string = await api.made('/v1/c/customer', { name: 'Acme', test_clock: clock.id });
      await api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '500', description: 'a gift' });
      return [customer, await api.made('/v1/c/contract', { ...terms, customer, ...more })];
    };
    const due = async (customer: string) => (await api.read(`/v1/c/entitlement/${customer}/billing`)).payment.next_payment_due;

    const [running] = await signed({});
    expect(await due(running)).toBe('2025-03-01T00:00:00.000Z');
    await api.made(`/v1/c/customer/${running}/inactivate`);
    expect(await due(running)).toBeNull();

    expect(await due((await signed({ free_trial_days: 14 }))[0])).toBe('2025-02-15T00:00:00.000Z');
    expect(await due((await signed({ free_trial_days: 14, due_date_policy: 'start_of_period' }))[0])).toBe('2025-01-15T00:00:00.000Z');
    expect(await due((await signed({ expiration: '2025-02-01T00:00:00Z' }))[0])).toBeNull();

    const [leaving, contract] = await signed({});
    await api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'end_of_cycle' } });
    expect(await due(leaving)).toBeNull();
  });
});
