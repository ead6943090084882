import type { AnyJson, Api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, feedback, flatPrice, planBody, signedContract } from './support.ts';

const UNKNOWN = 'Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const units = (seats: string, more: object = {}) => ({
  upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats }, ...more },
});

describe('contracts', () => {
  let vendor: TestVendor;
  let api: Api;
  beforeAll(async () => {
    vendor = await checkedVendor();
    api = vendor.api;
  });

  it('are signed and read with plan, prices, units and estimates: 29 + 5 × 10 = 79.00', async () => {
    const { contractId, customerId, planId } = await signedContract(vendor);
    await api.made('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '150' });
    const { contract_summary: summary, plan, billing_information: billing, discount } = await api.read(`/v1/c/contract/${contractId}`);
    expect(summary).toMatchObject({
      status: 'active',
      amount: '79.00',
      plan_id: planId,
      customer: 'Acme',
      cycle_start_offset: expect.any(Number),
    });
    expect(summary.cost_estimates.recurring_price).toEqual({
      cycle_start_charges: '79.00',
      minimum_usage: '0.00',
      extra_cycle_end_charges: '0.00',
    });
    expect(summary.cost_estimates.on_demand_price.cycle_start_charges).toBe('7.00');
    expect(billing.current_period_idx).toBe(1);
    expect(discount).toBeNull();
    const [seats, calls, sso] = plan.features;
    expect(seats.price).toMatchObject({ amount: '10.00', total_charge_estimate: { subtotal: '50.00', total: '50.00' } });
    expect(seats.price.strategy_details).toMatchObject({ unit_count: '5', units_charged: '5', units_used: '0' });
    expect(calls.price.strategy_details).toMatchObject({ units_used: '150', units_charged: '200', over_usage_unit_charged: '0' });
    expect(sso.price).toBeNull();
  });

  it('contain their discount, trial and configuration', async () => {
    const discountId = await api.made('/v1/c/discount', { slug: 'ten', name: 'Ten', discount_type: 'percentage', amount: 10, duration: 3 });
    const plan = await api.made('/v1/c/plan', planBody('trial', '29', { free_trial_days: 30 }));
    const customer = await api.made('/v1/c/customer', { name: 'T', configuration: { due_date_policy: 'end_of_period' } });
    const id = await api.made('/v1/c/contract', {
      customer,
      plan,
      currency: 'usd',
      cycle: 'month',
      discount_id: discountId,
      automatic_payment: false,
      unit_count_configuration: { seats: 7 },
    });
    const { contract_summary: summary, discount, plan: copy } = await api.read(`/v1/c/contract/${id}`);
    expect(discount).toMatchObject({ original_discount_id: discountId, contract_id: id, amount: '10', duration: 3 });
    expect(summary.configuration).toMatchObject({ automatic_payment: false, due_date_policy: 'end_of_period' });
    expect(summary.billing_information).toEqual({ current_period: null, current_period_idx: null });
    expect(summary.free_trial_end).toBe(summary.next_cycle_start);
    expect(copy.features[0].price).toMatchObject({
      strategy_details: { unit_count: '7' },
      total_charge_estimate: { subtotal: '70.00', total: '63.00' },
    });
  });

  it('are refused with a reason: a second one of the same plan, an archived plan, an unknown pricing, units outside the limits', async () => {
    const { customerId, planId } = await signedContract(vendor);
    const body = { customer: customerId, plan: planId, currency: 'usd', cycle: 'month' };
    expect(await api.post('/v1/c/contract', body)).toMatchObject({ status: 409, body: { code: 'contract_exists' } });
    expect(await api.post('/v1/c/contract', { ...body, currency: 'eur' })).toMatchObject({
      status: 404,
      body: { code: 'pricing_not_found', feedback: { currency: { value: expect.stringMatching(/ of one it has: usd month/) } } },
    });
    expect(feedback(await api.post('/v1/c/contract', { ...body, cycle: null }))).toEqual({ cycle: 'is required' });
    const many = await api.post('/v1/c/contract', { ...body, unit_count_configuration: { seats: '51', nothing: '1' } });
    expect([many.status, Object.keys(feedback(many))]).toEqual([400, expect.arrayContaining(['unit_count_configuration.nothing'])]);
    const other = await api.made('/v1/c/customer', { name: 'late' });
    await api.made(`/v1/c/plan/${planId}/archive`);
    expect(await api.post('/v1/c/contract', { ...body, customer: other })).toMatchObject({
      status: 409,
      body: { code: 'plan_archived', feedback: { plan: { value: 'is archived: give a plan that is sold' } } },
    });
    expect((await api.read(`/v1/c/contract?customer=${customerId}&status=active`)).total).toBe(1);
  });

  it('change at once with an estimate’s token and the same lines as the estimate; 409 after something has changed', async () => {
    const clock = await clockOf(vendor, '2025-06-01T00:00:00Z');
    const { contractId, customerId } = await signedContract(vendor, { test_clock: clock.id });
    await clock.advanceTo('2025-06-16T00:00:00Z');
    const stale = await api.made<AnyJson>(`/v1/c/contract/${contractId}/upgrade_estimate`, units('9'));
    await api.made('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' });
    const path = `/v1/c/contract/${contractId}/upgrade`;
    expect(await api.post(path, { ...units('9'), estimate_token: stale.estimate_token })).toMatchObject({
      status: 409,
      body: { code: 'estimate_outdated' },
    });
    const estimate = await api.made<AnyJson>(`${path}_estimate`, units('9'));
    expect(await api.post(path, { ...units('8'), estimate_token: estimate.estimate_token })).toMatchObject({ status: 409 });
    expect(await api.post(path, { ...units('9'), estimate_token: `${estimate.estimate_token}x` })).toMatchObject({ status: 400 });
    expect(estimate).toMatchObject({ is_downgrade: false, activation: '2025-06-16T00:00:00.000Z' });
    // a payment method changes nothing that a change is computed from
    const session = { operation: 'add_method', provider: 'sandbox' };
    const { token } = await api.made<AnyJson>(`/v1/c/customer/${customerId}/payment/session`, session);
    await api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    const successor = await api.made(path, { ...units('9'), estimate_token: estimate.estimate_token });
    const [{ invoice, invoice_items: items }] = estimate.price_on_new_contract;
    const written = await api.read(`/v1/c/invoice/${invoice.id}`);
    expect(items.map((item: { subtotal: string }) => item.subtotal)).toEqual(
      written.invoice_items.map((item: { subtotal: string }) => item.subtotal),
    );
    expect(written.invoice).toMatchObject({ total: invoice.total, contract_id: successor });
    expect(await api.read(`/v1/c/contract/${contractId}`)).toMatchObject({ contract_summary: { status: 'moved' } });
    expect(await api.post(path, units('10'))).toMatchObject({
      status: 409,
      body: { code: 'contract_not_live', detail: expect.stringContaining('It goes on as Cont_') },
    });
  });

  it('refuse invalid changes', async () => {
    const { contractId, planId } = await signedContract(vendor);
    const path = `/v1/c/contract/${contractId}/upgrade`;
    expect(await api.post(path, units('5'))).toMatchObject({ status: 409, body: { code: 'nothing_changes' } });
    expect(await api.post(path, units('500'))).toMatchObject({ status: 400 });
    expect(await api.post(path, units('6', { activation: { type: 'date', date: '2020-01-01T00:00:00Z' } }))).toMatchObject({ status: 400 });
    expect(await api.post(path, units('6', { activation: { type: 'date' } }))).toMatchObject({ status: 400 });
    expect(await api.post(path, units('6', { activation: { type: 'whenever' } }))).toMatchObject({ status: 400 });
    expect(await api.post(path, { upgrade_configuration: { upgrade_strategy: 'new_plan' } })).toMatchObject({ status: 400 });
    expect(await api.post(path, { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: planId } })).toMatchObject({
      status: 409,
    });
    const withoutUnits = await api.post(path, { upgrade_configuration: { upgrade_strategy: 'change_unit_count' } });
    expect([withoutUnits.status, Object.keys(feedback(withoutUnits))]).toEqual([400, ['upgrade_configuration.unit_count_configuration']]);
    const twice = await api.post(path, units('6', { unit_configuration: { seats: { units: '7' } } }));
    expect([twice.status, Object.keys(feedback(twice))]).toEqual([400, ['upgrade_configuration.unit_configuration.seats.units']]);
    for (const operation of ['upgrade', 'upgrade_estimate']) {
      expect(await api.post(`/v1/c/contract/${UNKNOWN}/${operation}`, units('6'))).toMatchObject({ status: 404 });
    }
  });

  it('are canceled and changed, and both can be undone', async () => {
    const { contractId } = await signedContract(vendor);
    const path = `/v1/c/contract/${contractId}`;
    expect(await api.post(`${path}/cancel_undo`)).toMatchObject({ status: 409, body: { code: 'no_pending_cancellation' } });
    expect(await api.post(`${path}/change_undo`)).toMatchObject({ status: 409, body: { code: 'no_pending_change' } });
    expect(await api.made(`${path}/cancel`, { when: { type: 'end_of_cycle' } })).toBe(contractId);
    expect((await api.read(`${path}/timeline`)).next.map(({ what }: { what: string }) => what)).toContain('cancellation');
    expect(await api.made(`${path}/cancel_undo`)).toBe(contractId);
    const successor = await api.made(`${path}/upgrade`, units('2'));
    expect(await api.read(`/v1/c/contract/${successor}`)).toMatchObject({ contract_summary: { status: 'scheduled' } });
    expect(await api.made(`${path}/change_undo`)).toBe(contractId);
    expect(await api.read(`/v1/c/contract/${successor}`)).toMatchObject({ contract_summary: { status: 'canceled' } });
    expect(await api.made(`${path}/cancel`, { when: { type: 'now' }, credit: true, notes: 'bye' })).toBe(contractId);
    expect(await api.post(`${path}/cancel`, { when: { type: 'now' } })).toMatchObject({ status: 409, body: { code: 'contract_not_live' } });
  });

  it('signed as pending are activated later; on-demand features are charged by a call', async () => {
    const plan = await api.made('/v1/c/plan', planBody('pending'));
    const customer = await api.made('/v1/c/customer', { name: 'P' });
    const id = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', is_pending: true });
    expect(await api.read(`/v1/c/contract/${id}`)).toMatchObject({ contract_summary: { status: 'pending', activation: null } });
    expect(await api.post(`/v1/c/contract/${id}/charge`, { feature_slug: 'report' })).toMatchObject({ status: 409 });
    expect(await api.made(`/v1/c/contract/${id}/activate`)).toBe(id);
    expect(await api.post(`/v1/c/contract/${id}/activate`)).toMatchObject({ status: 409, body: { code: 'contract_state' } });
    expect(await api.made(`/v1/c/contract/${id}/charge`, { feature_slug: 'report' })).toMatch(/^Item_/);
    expect(await api.post(`/v1/c/contract/${id}/charge`, { feature_slug: 'seats' })).toMatchObject({ status: 400 });
    expect(await api.post(`/v1/c/contract/${id}/resume`)).toMatchObject({ status: 409 });
    const totals = (await api.read(`/v1/c/invoice?contract=${id}`)).hits.map((hit: { invoice: { total: string } }) => hit.invoice.total);
    expect(totals).toEqual(['79.00', '7.00']);
  });

  it('of frozen customers refuse every write with 409 and can be read', async () => {
    const { contractId, customerId } = await signedContract(vendor);
    const path = `/v1/c/contract/${contractId}`;
    const { estimate_token } = await api.made<{ estimate_token: string }>(`${path}/upgrade_estimate`, units('9'));
    await api.post(`/v1/c/customer/${customerId}/inactivate`);
    const refused = [
      await api.post(`${path}/upgrade`, units('9')),
      await api.post(`${path}/upgrade`, { ...units('9'), estimate_token }),
      await api.post(`${path}/upgrade_estimate`, units('9')),
      await api.post(`${path}/cancel`, { when: { type: 'now' } }),
      await api.post(`${path}/charge`, { feature_slug: 'report' }),
      await api.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' }),
      await api.post('/v1/c/invoice', { customer_id: customerId }),
      await api.post('/v1/c/invoice', { contract_id: contractId }),
      await api.post(`/v1/c/customer/${customerId}/payment/session`, { provider: 'sandbox' }),
      await api.post(`/v1/c/customer/${customerId}/payment/method_selection`, { payment_method: 'none' }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [409, 'customer_frozen']));
    expect(await api.get(path)).toMatchObject({ status: 200 });
    expect(await api.get(`${path}/timeline`)).toMatchObject({ status: 200 });
    expect(await api.get(`/v1/c/entitlement/${customerId}/access`)).toMatchObject({ status: 200, body: { plan: { features: [] } } });
  });

  it('of erased customers refuse every write: nothing is theirs any more', async () => {
    const customer = await api.made('/v1/c/customer', { name: 'Gone' });
    const plan = await api.made(
      '/v1/c/plan',
      planBody('given', '0', { pricings: [{ currency: 'usd', cycle: 'month', price: flatPrice('0') }] }),
    );
    const contract = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const path = `/v1/c/contract/${contract}`;
    await api.made(`${path}/cancel`, { when: { type: 'now' } });
    await api.made(`/v1/c/customer/${customer}/inactivate`, {});
    await api.made(`/v1/c/customer/${customer}/erase`, {});
    const codeOf = async (at: string, body: object) => (await api.post(at, body)).body.code;
    expect(await codeOf(`${path}/usage_period/1/close`, {})).toBe('customer_erased');
    expect(await codeOf('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' })).toBe('customer_erased');
    expect(await codeOf('/v1/c/invoice', { contract_id: contract })).toBe('customer_erased');
    expect(await codeOf(`${path}/upgrade_estimate`, units('9'))).toBe('customer_erased');
    for (const [act, body] of [
      ['upgrade', units('9')],
      ['cancel', { when: { type: 'now' } }],
      ['cancel_estimate', { when: { type: 'now' } }],
      ['charge', { feature_slug: 'report' }],
    ] as const)
      expect([act, await codeOf(`${path}/${act}`, body)]).toEqual([act, 'contract_not_live']);
  });

  it('keep their copy of the plan when the plan is edited; the plan’s features keep their ids', async () => {
    const { contractId, planId } = await signedContract(vendor);
    const before = await api.read(`/v1/c/plan/${planId}`);
    await api.made('/v1/c/plan', { id: planId, pricings: [{ currency: 'usd', cycle: 'month', price: flatPrice('99'), features: {} }] });
    const after = await api.read(`/v1/c/plan/${planId}`);
    expect(after.features).toEqual(before.features);
    expect(after.pricings[0].price.amount).toBe('99.00');
    expect((await api.read(`/v1/c/contract/${contractId}`)).contract_summary.amount).toBe('79.00');
  });
});
