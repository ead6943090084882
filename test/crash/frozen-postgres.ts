import { signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { byFairClock } from '../support/fair-clock.ts';
import type { OwnStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';
import { stackOfFile } from './kit.ts';

describe('a Postgres that stands still without having died', () => {
  let stack: OwnStack;
  let vendor: TestVendor;
  beforeAll(async () => {
    stack = await stackOfFile();
    vendor = await stack.newVendor();
  });
  /** Asks the API alone. */
  const alive = () => fetch(`${stack.servers.baseUrl}/healthz`);

  it('keeps no caller longer than 10 s: 503 with Retry-After; afterwards the repeats under the same keys are served once', async () => {
    const { customerId } = await signedContract(vendor);
    const rename = () => vendor.api.post('/v1/c/customer', { id: customerId, name: 'renamed' }, { 'idempotency-key': 'rename' });
    const usage = () =>
      vendor.api.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' }, { 'idempotency-key': 'one-call' });
    const goOn = await stack.halt('postgres');
    const answers = await byFairClock(alive, async (now) => {
      const began = now();
      const all = await Promise.all([
        vendor.api.get('/v1/c/plan'),
        rename(),
        usage(),
        vendor.api.get(`/v1/c/entitlement/${customerId}/access`),
      ]).finally(goOn);
      expect(now() - began).toBeLessThan(10_000);
      return all;
    });
    for (const { status, headers } of answers) expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await eventually(async () => expect((await rename()).status).toBe(200), { every: 500 });
    await eventually(async () => expect((await usage()).status).toBe(200));
    const counted = await withTestDatabase(
      (db) => db.query('select id from usage_event where customer_id = $1', [customerId]),
      stack.servers,
    );
    expect(counted).toHaveLength(1);
  });

  it('answers each of 40 writers at once within 6 s of its standing still, though they wait for a place, a connection and their leases one after the other', async () => {
    const customers = await Promise.all(
      Array.from({ length: 40 }, async () => (await vendor.api.post('/v1/c/customer', { name: 'one' })).body as string),
    );
    const MOST_ROUNDS = 2_000;
    let goOn = (): void => undefined;
    const write = async (id: string, round: number) => {
      const { status, body } = await vendor.api.post('/v1/c/customer', { id, name: 'other' }, { 'idempotency-key': `${id}-${round}` });
      return { status, type: String((body as { type?: string } | null)?.type) };
    };
    await byFairClock(alive, async (now) => {
      const writing = customers.map(async (id) => {
        for (let round = 0; ; round += 1) {
          const began = now();
          const outcome = await write(id, round);
          if (outcome.status !== 200 || round === MOST_ROUNDS) return { ...outcome, began, ended: now() };
        }
      });
      try {
        goOn = await stack.halt('postgres');
        // what a request had waited before is the machine's own slowness
        const haltedAt = now();
        const outcomes = (await Promise.all(writing)).map(({ began, ended, ...rest }) => ({
          ...rest,
          took: ended - Math.max(began, haltedAt),
        }));
        expect(outcomes.map(({ status }) => status)).toEqual(customers.map(() => 503));
        const slow = outcomes.filter(({ type, took }) => took > (type.includes('outcome_unknown') ? 11_000 : 6_000));
        expect(slow).toEqual([]);
      } finally {
        goOn();
      }
    });
    await eventually(async () => expect((await write(customers[0] ?? '', -1)).status).toBe(200), { every: 500 });
  });
});
