import { csrfOf } from '../../portal/http/csrf.ts';
import { PORTAL_PAGES } from '../../portal/portal.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

type Headers = Record<string, string>;

const EXAMPLE = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const FORM = 'application/x-www-form-urlencoded';

const acts = PORTAL_PAGES.flat().filter(({ method }) => method === 'post');
const pathOf = ({ path }: { path: string }): string => `/portal${path.replaceAll(/:\w+/g, EXAMPLE)}`;

describe('what changes something in the portal', () => {
  let base: string;
  let vendor: TestVendor;
  let cookie: string;

  const send = (method: string, path: string, headers: Headers, body: string): Promise<Response> =>
    fetch(`${base}${path}`, { method, redirect: 'manual', headers, body });
  const signedIn = async (id: string): Promise<string> => {
    const url = await vendor.api.made<string>('/v1/c/customer/authenticate', { id });
    const response = await fetch(url, { method: 'POST', redirect: 'manual' });
    return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  };
  const secretOf = (session: string): string => session.split('=')[1] ?? '';
  const post = (path: string, body: string, headers: Headers = {}): Promise<Response> =>
    send('POST', path, { cookie, 'content-type': FORM, ...headers }, body);

  beforeAll(async () => {
    base = (await servers()).baseUrl;
    vendor = await newVendor('Guarded');
    cookie = await signedIn(await vendor.api.made('/v1/c/customer', { name: 'Ada' }));
  });

  it('has acts that are guarded', () => expect(acts.length).toBeGreaterThan(0));

  describe.each(acts.map((act) => [pathOf(act)]))('POST %s', (path) => {
    let mine: string;
    let csrf: string;
    beforeAll(async () => {
      // each act gets a customer of its own, so that the limit of acts isn't met
      mine = await signedIn(await vendor.api.made('/v1/c/customer', { name: 'Grace' }));
      csrf = csrfOf(secretOf(mine));
    });

    it("is refused without the session's own csrf value", async () => {
      const another = csrfOf(secretOf(cookie));
      for (const body of ['', 'csrf=', 'csrf=x', `csrf=${another}`, `csrf=${csrf}x`, `csrf=${csrf.slice(0, -1)}`])
        expect([body, (await post(path, body, { cookie: mine })).status]).toEqual([body, 403]);
    });

    it('is refused for a form of another site, also with the csrf value', async () => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${base}.evil.example` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: base, 'sec-fetch-site': 'cross-site' },
      ] as Headers[])
        expect([headers, (await post(path, `csrf=${csrf}`, { ...headers, cookie: mine })).status]).toEqual([headers, 403]);
    });

    it('is refused as JSON, and when it is longer than 16 KB', async () => {
      const json = { cookie: mine, 'content-type': 'application/json' };
      expect((await send('POST', path, json, `{"csrf":"${csrf}"}`)).status).toBe(415);
      expect((await post(path, `csrf=${csrf}&x=${'x'.repeat(16 * 1024)}`, { cookie: mine })).status).toBe(413);
    });

    it('is refused with a text that can not be stored, and is a 404 for an id with one', async () => {
      expect((await post(path, `csrf=${csrf}&name=%00&words=%00`, { cookie: mine })).status).toBe(400);
      if (path.includes(EXAMPLE)) expect((await post(path.replace(EXAMPLE, '%00'), `csrf=${csrf}`, { cookie: mine })).status).toBe(404);
    });

    it('is a 401 without a session', async () => {
      expect((await post(path, `csrf=${csrf}`, { cookie: '' })).status).toBe(401);
    });
  });

  it('allows 30 acts a minute, then a 429 with Retry-After; another customer has a separate limit', async () => {
    const path = pathOf(acts[0] ?? { path: '' });
    const busy = await signedIn(await vendor.api.made('/v1/c/customer', { name: 'Busy' }));
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) statuses.push((await post(path, '', { cookie: busy })).status);
    // the requests may fall into two minutes, so up to sixty can be allowed
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(60);
    expect(statuses.at(-1)).toBe(429);
    const refused = await post(path, '', { cookie: busy });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.text()).toContain('Too many changes');
    expect((await post(path, '')).status).toBe(403);
  });

  it('allows 240 pages a minute, then a 429 with Retry-After; another customer has a separate limit', async () => {
    const busy = await signedIn(await vendor.api.made('/v1/c/customer', { name: 'Reader' }));
    const open = (cookies: string) => fetch(`${base}/portal/methods`, { redirect: 'manual', headers: { cookie: cookies } });
    const statuses: number[] = [];
    // the requests may fall into two minutes
    while (statuses.at(-1) !== 429 && statuses.length < 482) {
      const ten = await Promise.all(Array.from({ length: 10 }, () => open(busy)));
      statuses.push(...ten.map(({ status }) => status).sort());
    }
    expect(statuses.length).toBeGreaterThan(240);
    const refused = await open(busy);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await refused.text()).toContain('Too many pages');
    expect((await open(cookie)).status).toBe(200);
  });
});
