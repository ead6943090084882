import { signedContract } from '../api/support.ts';
import { api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { fairTimeOf } from '../support/fair-clock.ts';
import type { OwnStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';
import { stackOfFile } from './kit.ts';

describe('while a server is away', () => {
  let stack: OwnStack;
  let vendor: TestVendor;
  beforeAll(async () => {
    stack = await stackOfFile();
    vendor = await stack.newVendor();
  });

  it('Postgres: reads, writes and usage answer 503 with Retry-After, and nothing is half done', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const event = { customer_id: customerId, feature_slug: 'calls', units: '1' };
    await stack.kill9('postgres');
    const answers = await Promise.all([
      vendor.api.get('/v1/c/plan'),
      vendor.api.post('/v1/c/customer', { name: 'lost' }, { 'idempotency-key': 'lost' }),
      vendor.api.post('/v1/c/usage', event, { 'idempotency-key': 'lost-usage' }),
      vendor.api.get(`/v1/c/entitlement/${customerId}/access`),
    ]);
    for (const { status, body, headers } of answers) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', expect.stringMatching(/^\d+$/)]);
    }
    expect(await api(null, stack.servers.baseUrl).get('/readyz')).toMatchObject({ status: 503, body: { postgres: { ok: false } } });
    expect(await api(null, stack.servers.baseUrl).get('/healthz')).toMatchObject({ status: 200 });
    await stack.restart('postgres');
    await eventually(async () => expect(await vendor.api.get('/v1/c/plan')).toMatchObject({ status: 200 }));
    expect((await vendor.api.read('/v1/c/customer?search=lost')).total).toBe(0);
    await vendor.api.made('/v1/c/usage', event, { 'idempotency-key': 'lost-usage' });
    expect((await vendor.api.read(`/v1/c/usage?contract=${contractId}`)).total).toBe(1);
  });

  it('Postgres, while a request waits in it: the request is answered 503, and its repeat under the same key 200 as soon as Postgres is back', async () => {
    const id = await vendor.api.made('/v1/c/customer', { name: 'early' });
    const rename = () => vendor.api.post('/v1/c/customer', { id, name: 'late' }, { 'idempotency-key': 'rename' });
    const answer = await withTestDatabase(async (db) => {
      const holder = await db.pool.connect();
      await holder.query('begin');
      await holder.query('select from customer where id = $1 for update', [id]);
      const waiting = rename();
      await eventually(async () => expect(await db.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).toHaveLength(1));
      await stack.kill9('postgres');
      holder.release(true);
      return waiting;
    }, stack.servers);
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    await stack.restart('postgres');
    // far sooner than the 60 seconds after which a lease lapses
    const repeated = () => eventually(async () => expect(await rename()).toMatchObject({ status: 200, body: id }), { every: 200 });
    expect(await fairTimeOf(repeated, () => fetch(`${stack.servers.baseUrl}/healthz`))).toBeLessThan(40_000);
  });

  it('a worker: nothing is missed by callers, /readyz says degraded, and ready again when one takes work', async () => {
    const readiness = () => api(null, stack.servers.baseUrl).get('/readyz');
    expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ready' } });
    await stack.kill9('worker');
    // Temporal remembers for a minute who has asked for work, but not beyond its own end
    await stack.kill9('temporal');
    await stack.restart('temporal');
    const reason = 'no worker takes work';
    await eventually(async () =>
      expect(await readiness()).toMatchObject({
        status: 200,
        body: {
          status: 'degraded',
          postgres: { ok: true },
          migrations: { ok: true },
          temporal: { ok: true },
          worker: { ok: false, reason },
        },
      }),
    );
    await stack.restart('worker');
    await eventually(async () => expect(await readiness()).toMatchObject({ status: 200, body: { status: 'ready', worker: { ok: true } } }));
  });
});
