import { HOUR } from '../../billing/calendar/instant.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

/** A plan that is charged every hour. */
const hourly = (slug: string, amount: string) => ({
  slug,
  internal_name: slug,
  strategy: 'plan',
  features: [],
  pricings: [{ currency: 'usd', cycle: 'hour', price: { amount, strategy_details: { pricing_strategy: 'flat' } } }],
});

describe('a contract whose activation is far in the past', () => {
  let vendor: TestVendor;
  let [small, large] = ['', ''];
  beforeAll(async () => {
    vendor = await newVendor();
    small = await vendor.api.made('/v1/c/plan', hourly('small', '10.00'));
    large = await vendor.api.made('/v1/c/plan', hourly('large', '20.00'));
  });

  const signs = async (hoursBack: number) => {
    const customer = await vendor.api.made('/v1/c/customer', { name: 'late' });
    const activation = new Date(Date.now() - hoursBack * HOUR + 600_000).toISOString();
    return vendor.api.post('/v1/c/contract', { customer, plan: small, currency: 'usd', cycle: 'hour', activation });
  };

  it('by more than 400 boundaries is refused: the response names the field, and nothing is signed', async () => {
    const customer = await vendor.api.made('/v1/c/customer', { name: 'ancient' });
    const body = { customer, plan: small, currency: 'usd', cycle: 'hour', activation: '1971-01-01T00:00:00Z' };
    const response = await vendor.api.post('/v1/c/contract', body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', feedback: { activation: { type: 'error' } } } });
    expect((await vendor.api.read(`/v1/c/contract?customer=${customer}`)).total).toBe(0);
  });

  it('by 400 hours is signed with its first 50 periods; all 400 are invoiced once, and a change is made after that', async () => {
    const { status, body: contract } = await signs(400);
    expect(status).toBe(201);
    const invoices = () => vendor.api.read(`/v1/c/invoice?contract=${contract}&limit=1`);
    expect((await invoices()).total).toBeGreaterThanOrEqual(50);
    const successor = await eventually(async () => {
      const response = await vendor.api.post(`/v1/c/contract/${contract}/upgrade`, {
        upgrade_configuration: { plan_id: large, upgrade_strategy: 'new_plan' },
      });
      expect([200, 503]).toContain(response.status);
      if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(response.status).toBe(200);
      return response.body as unknown as string;
    });
    expect((await invoices()).total).toBe(400);
    const detail = await vendor.api.read(`/v1/c/contract/${successor}`);
    expect(detail).toMatchObject({ catching_up: false, contract_summary: { status: 'active' } });
  });
});

describe('a test clock', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await newVendor();
  });

  it('advances by at most 30 years', async () => {
    const clock = await vendor.api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
    const response = await vendor.api.post(`/v1/c/test_clock/${clock}/advance`, { now: '3025-01-01T00:00:00Z' });
    expect(response).toMatchObject({ status: 400, body: { feedback: { now: { type: 'error' } } } });
    const tooFar = await vendor.api.post(`/v1/c/test_clock/${clock}/advance`, { now: '2055-01-01T00:00:00.001Z' });
    expect(tooFar).toMatchObject({ status: 400, body: { feedback: { now: { type: 'error' } } } });
    expect((await vendor.api.read(`/v1/c/test_clock/${clock}`)).status).toBe('ready');
    expect((await vendor.api.post(`/v1/c/test_clock/${clock}/advance`, { now: '2055-01-01T00:00:00Z' })).status).toBe(200);
  });

  it('that advances through 8,760 hours shows its time and can be stopped: everything due up to that instant is done, nothing later', async () => {
    const clock = await vendor.api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
    const plan = await vendor.api.made('/v1/c/plan', hourly('by-the-hour', '1.00'));
    const customer = await vendor.api.made('/v1/c/customer', { name: 'ticking', test_clock: clock });
    const contract = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'hour' });
    const read = () => vendor.api.read(`/v1/c/test_clock/${clock}`);
    await vendor.api.made(`/v1/c/test_clock/${clock}/advance`, { now: '2026-01-01T00:00:00Z' });
    await eventually(async () => expect(Date.parse(String((await read()).now))).toBeGreaterThan(Date.parse('2025-01-01T02:00:00Z')));
    expect((await vendor.api.post(`/v1/c/test_clock/${clock}/stop`, {})).status).toBe(200);
    const stopped = await eventually(async () => {
      const now = await read();
      expect(now.status).toBe('ready');
      return now;
    });
    const hours = (Date.parse(String(stopped.now)) - Date.parse('2025-01-01T00:00:00Z')) / HOUR;
    expect(hours).toBeLessThan(8_760);
    expect((await vendor.api.read(`/v1/c/invoice?contract=${contract}&limit=1`)).total).toBe(Math.floor(hours) + 1);
    expect((await vendor.api.post(`/v1/c/test_clock/${clock}/stop`, {})).status).toBe(200);
  });
});
