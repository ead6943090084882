import { routes } from '../../api/routes.ts';
import { signedContract } from '../api/support.ts';
import { type Api, api, type TestResponse } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const operations = ['get_access_entitlement', 'get_billing_entitlement', 'get_contract', 'list_usage_periods', 'report_usage'];

it('the routes whose statements check the key are those tried here', () => {
  const own = routes.filter((route) => route.ownKeyCheck === true);
  expect(own.map((route) => route.operationId).toSorted()).toEqual(operations);
  for (const route of own) expect(route.method === 'get' || route.ownIdempotency).toBe(true);
});

describe('a key that both API processes know, and that ends elsewhere', () => {
  let vendor: TestVendor;
  let second: SecondApi;
  let customerId: string;
  let contractId: string;
  let both: [Api, Api];
  let keyId: string;
  beforeAll(async () => {
    [vendor, second] = await Promise.all([newVendor(), secondApi()]);
  });
  afterAll(() => second.stop());
  beforeEach(async () => {
    ({ customerId, contractId } = await signedContract(vendor));
    const { id, key } = await vendor.api.made<{ id: string; key: string }>('/v1/c/api_key', { name: 'short', scope: 'full' });
    keyId = id;
    both = [api(key), api(key, second.baseUrl)];
    for (const one of both) expect((await report(one)).status).toBe(200);
    for (const one of both) expect((await one.get(access())).status).toBe(200);
  });

  const access = () => `/v1/c/entitlement/${customerId}/access`;
  const event = (more = {}) => ({ customer_id: customerId, feature_slug: 'calls', units: '1', ...more });
  const report = (one: Api, more = {}, headers = {}) => one.post('/v1/c/usage', event(more), headers);
  const end = (set: string) => withTestDatabase((db) => db.query(`update api_key set ${set} where id = $1`, [keyId]));
  const onDisk = () => withTestDatabase((db) => db.query(`select id from usage_event where customer_id = $1 order by id`, [customerId]));
  const body = ({ body: { request_id, ...said } }: TestResponse) => said;

  const reads: [string, () => string][] = [
    ['an entitlement', access],
    ['a billing entitlement', () => `/v1/c/entitlement/${customerId}/billing`],
    ['a contract', () => `/v1/c/contract/${contractId}`],
    ['usage periods', () => `/v1/c/contract/${contractId}/usage_period`],
    ['a customer that does not exist', () => access().replace(/.{12}\/access/, '000000000000/access')],
    ['a query that is not known', () => `${access()}?unknown=1`],
  ];
  for (const [what, path] of reads) {
    it(`reads nothing more: ${what}`, async () => {
      await end('revoked_at = now()');
      for (const one of both) {
        const [refused, after] = [await one.get(path()), await one.get(path())];
        expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
        expect(body(refused)).toEqual(body(after));
        expect([...refused.headers.keys()]).toEqual([...after.headers.keys()]);
      }
    });
  }

  const reports: [string, () => object, object][] = [
    ['plain', () => ({}), {}],
    ['at a time', () => ({ timestamp: new Date().toISOString() }), {}],
    ['an absolute marker', () => ({ is_absolute: true }), {}],
    ['with an Idempotency-Key', () => ({}), { 'idempotency-key': 'once' }],
    ['a feature that nobody has', () => ({ feature_slug: 'nothing' }), {}],
    ['a body that is wrong', () => ({ units: '-1' }), {}],
  ];
  for (const [what, more, headers] of reports) {
    it(`writes nothing more: ${what}`, async () => {
      const before = await onDisk();
      await end('expires_at = now()');
      for (const one of both) {
        const [refused, after] = [await report(one, more(), headers), await report(one, more(), headers)];
        expect([refused.status, refused.body.code]).toEqual([401, 'unauthorized']);
        expect(body(refused)).toEqual(body(after));
        expect([...refused.headers.keys()]).toEqual([...after.headers.keys()]);
      }
      expect(await onDisk()).toEqual(before);
    });
  }

  it('does not see what it reported before', async () => {
    expect((await report(both[0], {}, { 'idempotency-key': 'again' })).status).toBe(200);
    await end('revoked_at = now()');
    for (const one of both) expect((await report(one, {}, { 'idempotency-key': 'again' })).status).toBe(401);
  });

  it('leaves those beside it alone: of requests that come together each is answered by its own key', async () => {
    await end('revoked_at = now()');
    const before = await onDisk();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        report(n % 2 === 0 ? (both[0] ?? vendor.api) : vendor.api, n % 4 < 2 ? {} : { is_absolute: true }),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map((_, n) => (n % 2 === 0 ? 401 : 200)));
    expect((await onDisk()).length).toBe(before.length + 10);
  });

  it('works on until the moment its overlap ends', async () => {
    await end(`expires_at = now() + interval '1 hour'`);
    for (const one of both) {
      expect((await report(one)).status).toBe(200);
      expect((await one.get(access())).status).toBe(200);
    }
  });
});
