import { signedContract } from '../api/support.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { type TestVendor, withDatabase } from '../support/vendor.ts';

describe('a Postgres that stands still without having died', () => {
  let stack: OwnStack;
  let vendor: TestVendor;
  beforeAll(async () => {
    stack = await ownStack();
    vendor = await stack.newVendor();
  }, 180_000);
  afterAll(() => stack.stop(), 60_000);

  it('keeps no caller longer than 10 s: 503 with Retry-After; afterwards the repeats under the same keys are served once', async () => {
    const { customerId } = await signedContract(vendor);
    const rename = () => vendor.api.post('/v1/c/customer', { id: customerId, name: 'renamed' }, { 'idempotency-key': 'rename' });
    const usage = () =>
      vendor.api.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' }, { 'idempotency-key': 'one-call' });
    const goOn = await stack.halt('postgres');
    const began = performance.now();
    const answers = await Promise.all([
      vendor.api.get('/v1/c/plan'),
      rename(),
      usage(),
      vendor.api.get(`/v1/c/entitlement/${customerId}/access`),
    ]).finally(goOn);
    expect(performance.now() - began).toBeLessThan(10_000);
    for (const { status, headers } of answers) expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await eventually(async () => expect((await rename()).status).toBe(200), { timeout: 90_000, every: 500 });
    await eventually(async () => expect((await usage()).status).toBe(200));
    const counted = await withDatabase((db) => db.query('select id from usage_event where customer_id = $1', [customerId]), stack.servers);
    expect(counted).toHaveLength(1);
  }, 180_000);
});
