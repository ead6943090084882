import { VendorInConsole } from '../support/console-visitor.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { newVendor } from '../support/vendor.ts';

const NO_SESSION = new Map([['perennial_console', 'x'.repeat(43)]]);
const TRIES = 10;
const STRANGERS = 60;
const OF_A_SESSION = 240;

describe('what callers without a session may ask of the console', () => {
  let limited: SecondApi;
  beforeAll(async () => {
    limited = await secondApi({}, { TRUSTED_PROXIES: '127.0.0.1', KEYLESS_LIMIT_PER_MINUTE: '60' });
  });
  afterAll(() => limited.stop());

  it('is ten tries a minute to sign in from one address; then a right key is refused too', async () => {
    const { apiKey } = await newVendor();
    const visitor = new VendorInConsole(limited.baseUrl);
    const tryFrom = (address: string, api_key: string) => visitor.post('/console/sign_in', { api_key }, { 'x-forwarded-for': address });
    const tries = await Promise.all(Array.from({ length: TRIES }, () => tryFrom('203.0.113.1', 'x')));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([422]));
    const refused = await tryFrom('203.0.113.1', apiKey);
    expect([refused.status, refused.headers.get('retry-after'), visitor.session]).toEqual([429, expect.stringMatching(/^[1-9]\d?$/), '']);
    expect((await tryFrom('203.0.113.2', apiKey)).status).toBe(303);
  });

  it('is sixty requests a minute with a session that there is not, whatever they ask for', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.3' };
    const signedIn = await VendorInConsole.signIn((await newVendor()).apiKey, limited.baseUrl);
    const visitor = new VendorInConsole(limited.baseUrl, NO_SESSION);
    const asked = await Promise.all(Array.from({ length: STRANGERS }, () => visitor.post('/console/nothing', {}, headers)));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([404]));
    for (const path of ['/console/nothing', '/console/contract/x/cancel'])
      expect([path, (await visitor.post(path, {}, headers)).status]).toEqual([path, 429]);
    expect((await signedIn.post('/console/nothing', {}, headers)).status).toBe(404);
  });

  it('is 240 requests a minute of one session, those that lead nowhere or may not be asked for too', async () => {
    const vendor = await newVendor();
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key, limited.baseUrl);
    const seen = new Set<number>();
    for (let asked = 0; asked < OF_A_SESSION; asked += 3) {
      const answers = [
        reader.get('/console/nothing'),
        reader.get('/console/contract/x/cancel'),
        reader.post('/console/contract/x/cancel', {}),
      ];
      for (const { status } of await Promise.all(answers)) seen.add(status);
    }
    expect(seen).toEqual(new Set([404, 403]));
    for (const path of ['/console/nothing', '/console/contract/x/cancel', '/console'])
      expect([path, (await reader.get(path)).status]).toEqual([path, 429]);
  });
});
