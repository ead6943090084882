import { flatPrice, meteredPrice, planBody } from '../api/support.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

let vendor: TestVendor;
beforeAll(async () => {
  vendor = await newVendor();
});

const free = (slug: string, amount: string) => ({
  slug,
  internal_name: slug,
  strategy: 'plan',
  features: [],
  pricings: [{ currency: 'usd', cycle: 'month', price: flatPrice(amount), features: {} }],
});
const metering = (slug: string, amount: string) => ({
  ...free(slug, amount),
  features: [{ slug: 'calls', name: 'Calls' }],
  pricings: [{ currency: 'usd', cycle: 'month', price: flatPrice(amount), features: { calls: meteredPrice('0.01') } }],
});

/** A customer with contracts of the first two plans; the third is for sale. */
async function holding(first: object, second: object, third: object) {
  const mark = Math.random().toString(36).slice(2);
  const clock: ClockHandle = await clockOf(vendor, '2025-01-01T00:00:00Z');
  const customer = await vendor.api.made('/v1/c/customer', { name: 'Acme', test_clock: clock.id });
  const plans: string[] = [];
  for (const [index, body] of [first, second, third].entries()) {
    plans.push(await vendor.api.made('/v1/c/plan', { ...planBody('x'), ...body, slug: `${mark}-${index}` }));
  }
  const sign = (plan: number) => vendor.api.post('/v1/c/contract', { customer, plan: plans[plan], currency: 'usd', cycle: 'month' });
  const request = (plan: number) => ({ upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: plans[plan] } });
  return { clock, sign, request, customer };
}

const code = ({ status, body }: { status: number; body: { code: string } }) => `${status} ${body.code}`;

describe('a customer holds a plan, and meters a feature, in one chain of contracts', () => {
  it('a change to the plan of another contract is a 409, estimated, at once or later', async () => {
    const { sign, request } = await holding(free('a', '50'), free('b', '20'), free('c', '90'));
    const [a, b] = [(await sign(0)).body, (await sign(1)).body];
    expect(code(await vendor.api.post(`/v1/c/contract/${b}/upgrade_estimate`, request(0)))).toBe('409 contract_exists');
    expect(code(await vendor.api.post(`/v1/c/contract/${b}/upgrade`, request(0)))).toBe('409 contract_exists');
    expect(code(await vendor.api.post(`/v1/c/contract/${a}/upgrade`, request(1)))).toBe('409 contract_exists');
  });

  it('a plan that a downgrade waits for is not sold beside it, so the downgrade of 1 February finds its place', async () => {
    const { sign, request, clock } = await holding(free('a', '50'), free('b', '90'), free('c', '20'));
    const [a, b] = [(await sign(0)).body, (await sign(1)).body];
    const later = (await vendor.api.post(`/v1/c/contract/${a}/upgrade`, request(2))).body;
    expect(code(await sign(2))).toBe('409 contract_exists');
    expect(code(await vendor.api.post(`/v1/c/contract/${b}/upgrade`, request(2)))).toBe('409 contract_exists');
    await clock.advanceTo('2025-02-01T00:00:00Z');
    expect((await vendor.api.read(`/v1/c/contract/${later}`)).contract_summary.status).toBe('active');
    expect((await sign(0)).status).toBe(201);
  });

  it('a downgrade taken back lets its plan go', async () => {
    const { sign, request } = await holding(free('a', '50'), free('b', '90'), free('c', '20'));
    const a = (await sign(0)).body;
    await vendor.api.made(`/v1/c/contract/${a}/upgrade`, request(2));
    await vendor.api.made(`/v1/c/contract/${a}/change_undo`, {});
    expect((await sign(2)).status).toBe(201);
  });

  it('a metered feature that a downgrade brings is taken as soon as it is scheduled, and reports before it find no contract', async () => {
    const { sign, request, clock, customer } = await holding(free('a', '50'), metering('b', '90'), metering('c', '20'));
    const a = (await sign(0)).body;
    const later = (await vendor.api.post(`/v1/c/contract/${a}/upgrade`, request(2))).body;
    expect(code(await sign(1))).toBe('409 usage_feature_taken');
    const report = () => vendor.api.post('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '5' });
    expect((await report()).status).toBeGreaterThanOrEqual(400);
    await clock.advanceTo('2025-02-01T00:00:00Z');
    expect((await report()).status).toBe(200);
    const [period] = await vendor.api.read(`/v1/c/contract/${later}/usage_period`).then((page) => page.hits ?? page);
    expect(period.features[0].units_used).toBe('5');
  });
});
