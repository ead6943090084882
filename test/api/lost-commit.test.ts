import { type Api, api } from '../support/api.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { eventually } from '../support/eventually.ts';
import { type CommitCut, PostgresProxy } from '../support/postgres-proxy.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { signedContract } from './support.ts';

let proxy: PostgresProxy;
let second: SecondApi;
let vendor: TestVendor;
/** Calls an API whose connection to Postgres is cut. */
let cutApi: Api;
beforeAll(async () => {
  proxy = await PostgresProxy.open((await servers()).databaseUrl);
  second = await secondApi({ databaseUrl: proxy.databaseUrl });
  vendor = await newVendor();
  cutApi = api(vendor.apiKey, second.baseUrl);
});
afterAll(async () => {
  await second?.stop();
  await proxy.close();
});

const saves = (name: string) => cutApi.post('/v1/c/customer', { name }, { 'idempotency-key': name });
const savedAs = async (name: string): Promise<number> => (await vendor.api.read(`/v1/c/customer?search=${name}`)).total;

describe('a write whose connection to Postgres is cut exactly at its COMMIT', () => {
  it('gets its normal response when the COMMIT arrived, and has happened once', async () => {
    proxy.cutNextCommit('sent');
    const response = await saves('arrived');
    expect([response.status, proxy.hasCut]).toEqual([200, true]);
    expect(await savedAs('arrived')).toBe(1);
    expect((await saves('arrived')).body).toBe(response.body);
  });

  it('gets a 503 when the COMMIT did not arrive; nothing has happened, and its repeat gets a 200', async () => {
    proxy.cutNextCommit('unsent');
    const { status, body, headers } = await saves('lost');
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', expect.stringMatching(/^\d+$/)]);
    expect(await savedAs('lost')).toBe(0);
    await eventually(async () => expect(await saves('lost')).toMatchObject({ status: 200 }));
    expect(await savedAs('lost')).toBe(1);
  });

  it('of usage, without a transaction of its own, says that nobody can tell; the repeat under its key counts it once', async () => {
    const { customerId, contractId } = await signedContract(vendor);
    const reports = () =>
      cutApi.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '5' }, { 'idempotency-key': 'lost-answer' });
    proxy.loseNextAnswer('usage_insert_plain');
    const { status, body, headers } = await reports();
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'outcome_unknown', expect.stringMatching(/^\d+$/)]);
    expect(proxy.hasCut).toBe(true);
    await eventually(async () => expect(await reports()).toMatchObject({ status: 200 }));
    const { hits } = await vendor.api.read(`/v1/c/usage?contract=${contractId}`);
    expect(hits).toHaveLength(1);
  });

  it('is answered in the console with a page that says nobody can tell yet, and asks nobody to press again', async () => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const visitor = await VendorInConsole.signIn(vendor.apiKey, second.baseUrl);
    const csrf = await visitor.csrf();
    proxy.cutNextCommit('sent', { staysAway: true });
    const answer = await visitor.post(`/console/customer/${customer}/freeze`, { csrf });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(answer.text).toContain('Nobody can say yet whether it was done');
    proxy.comesBack();
    expect((await vendor.api.read(`/v1/c/customer/${customer}`)).status).toBe('inactive');
  });

  it.each<{ at: CommitCut; name: string; happened: number }>([
    { at: 'sent', name: 'unknown-but-written', happened: 1 },
    { at: 'unsent', name: 'unknown-and-lost', happened: 0 },
  ])(
    '($at) gets 503 outcome_unknown when Postgres is away for 5 s; its repeat under the same key gets the outcome, once',
    async ({ at, name, happened }) => {
      proxy.cutNextCommit(at, { staysAway: true });
      const { status, body, headers } = await saves(name);
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'outcome_unknown', expect.stringMatching(/^\d+$/)]);
      expect(await savedAs(name)).toBe(happened);
      proxy.comesBack();
      const repeat = await eventually(async () => {
        const again = await saves(name);
        expect(again.status).toBe(200);
        return again;
      });
      const { hits } = await vendor.api.read(`/v1/c/customer?search=${name}`);
      expect(hits.map(({ id }: { id: string }) => id)).toEqual([repeat.body]);
    },
  );
});
