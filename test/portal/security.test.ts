import { PORTAL_PAGES } from '../../portal/portal.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

type Headers = Record<string, string>;

const EXAMPLE = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const FORM = 'application/x-www-form-urlencoded';
/** What makes code run or style apply without a file of ours. */
const INLINE = /<style|\sstyle=|<script(?![^>]* src="\/portal\/asset\/)|\son\w+=|javascript:/i;

const pathOf = ({ path }: { path: string }): string => `/portal${path.replaceAll(/:\w+/g, EXAMPLE)}`;

describe('the portal against others', () => {
  let base: string;
  let vendor: TestVendor;
  let customer: string;
  let cookie: string;

  const send = (method: string, path: string, headers: Headers = {}, body?: string): Promise<Response> =>
    fetch(`${base}${path}`, { method, redirect: 'manual', headers, ...(body === undefined ? {} : { body }) });
  const linkOf = async (id: string): Promise<string> => {
    const { search } = new URL(await vendor.api.made<string>('/v1/c/customer/authenticate', { id }));
    return `/portal${search}`;
  };
  const cookieOf = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const signedIn = async (id: string): Promise<string> => cookieOf(await send('POST', await linkOf(id)));
  const post = (path: string, body: string, headers: Headers = {}): Promise<Response> =>
    send('POST', path, { cookie, 'content-type': FORM, ...headers }, body);
  beforeAll(async () => {
    base = (await servers()).baseUrl;
    vendor = await newVendor('Guarded');
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
    cookie = await signedIn(customer);
  });

  it('signs nobody in, and nobody out, by a form of another site', async () => {
    const link = await linkOf(customer);
    expect((await send('POST', link, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send('POST', link, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send('POST', '/portal/leave', { cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await send('GET', '/portal', { cookie })).status).toBe(200);
    expect((await send('POST', link, { origin: base, 'sec-fetch-site': 'same-origin' })).status).toBe(303);
  });

  it('gives a new session at each entry, ends the one before, and believes in none that it did not make', async () => {
    const made = `perennial_portal=${'a'.repeat(43)}`;
    expect((await send('GET', '/portal', { cookie: made })).status).toBe(401);
    const first = cookieOf(await send('POST', await linkOf(customer), { cookie: made }));
    const second = cookieOf(await send('POST', await linkOf(customer), { cookie: first }));
    expect(new Set([made, first, second]).size).toBe(3);
    expect((await send('GET', '/portal', { cookie: first })).status).toBe(401);
    expect((await send('GET', '/portal', { cookie: second })).status).toBe(200);
    expect((await send('GET', '/portal', { cookie: made })).status).toBe(401);
    const token = new URLSearchParams((await linkOf(customer)).split('?')[1]).get('token');
    expect((await send('GET', '/portal', { cookie: `perennial_portal=${token}` })).status).toBe(401);
  });

  it('forbids frames, caches, referrers to others, inline script and inline style on every response', async () => {
    const responses: [string, Response][] = [
      ['entry', await send('GET', await linkOf(customer))],
      ['used link', await send('GET', '/portal?token=nonsense')],
      ['without a session', await send('GET', '/portal')],
      ['unknown', await send('GET', '/portal/nothing', { cookie })],
      ['unknown to strangers', await send('GET', '/portal/nothing')],
      ['redirect', await send('POST', await linkOf(customer))],
      ['refused form', await post('/portal/language', 'language=xx')],
      ['unknown asset', await send('GET', '/portal/asset/nothing.css')],
    ];
    for (const page of PORTAL_PAGES.flat().filter(({ method }) => method === 'get'))
      responses.push([page.path, await send('GET', pathOf(page), { cookie })]);
    for (const [name, response] of responses) {
      const { headers } = response;
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ])
        expect([name, policy.split('; ').some((one) => one.startsWith(part))]).toEqual([name, true]);
      expect([name, policy]).not.toEqual([name, expect.stringContaining('unsafe')]);
      expect([name, headers.get('x-frame-options'), headers.get('cache-control')]).toEqual([name, 'DENY', 'no-store']);
      expect([name, headers.get('referrer-policy')]).toEqual([name, expect.stringMatching(/^(no-referrer|same-origin)$/)]);
      expect([name, headers.get('x-content-type-options')]).toEqual([name, 'nosniff']);
      const text = headers.get('content-type')?.startsWith('text/html') ? await response.text() : '';
      expect([name, INLINE.exec(text)?.[0]]).toEqual([name, undefined]);
    }
  });

  it('serves style and script from files of ours, kept for a year', async () => {
    const text = await (await send('GET', '/portal', { cookie })).text();
    const addresses = [...text.matchAll(/(?:href|src)="(\/portal\/asset\/[^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const address of addresses) {
      const { status, headers } = await send('GET', address);
      expect([address, status, headers.get('cache-control')]).toEqual([address, 200, 'public, max-age=31536000, immutable']);
      expect(headers.get('content-type')).toMatch(/^(text\/css|text\/javascript|image\/svg\+xml)/);
    }
  });

  it('is the same 404 for everything that there is not', async () => {
    const other: string = await vendor.api.made('/v1/c/customer', { name: 'Other' });
    const texts = new Set<string>();
    for (const path of [
      `/portal/invoice/Inv_${EXAMPLE}`,
      '/portal/invoice/x',
      '/portal/nothing',
      '/portal/a/b/c',
      `/portal/${other}`,
      '/portal/contract/%00/change',
    ]) {
      const response = await send('GET', path, { cookie });
      expect([path, response.status]).toEqual([path, 404]);
      // the link of the pages among which the address is stays marked
      texts.add((await response.text()).replaceAll(/value="[^"]*"| aria-current="page"/g, ''));
    }
    expect(texts.size).toBe(1);
    expect([...texts][0]).toContain('There is no such page');
  });
});

describe('the lists of the portal', () => {
  it.each(['/portal?after=', '/portal/invoices?after=', '/portal/payments?after='])(
    'begin at their head where the place is none that there can be: %s',
    async (list) => {
      const { baseUrl } = await servers();
      const vendor = await newVendor('Lists');
      const customer: string = await vendor.api.made('/v1/c/customer', {});
      const url = await vendor.api.made<string>('/v1/c/customer/authenticate', { id: customer });
      const cookie = ((await fetch(url, { method: 'POST', redirect: 'manual' })).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      for (const place of [`999999999999999.Inv_${EXAMPLE}`, '1.x', '%00', '-1.a_b'])
        expect([place, (await fetch(`${baseUrl}${list}${place}`, { headers: { cookie } })).status]).toEqual([place, 200]);
    },
  );
});

describe('the language of the portal', () => {
  let base: string;
  let cookie: string;
  beforeAll(async () => {
    base = (await servers()).baseUrl;
    const vendor = await newVendor('Sprachen');
    const customer: string = await vendor.api.made('/v1/c/customer', {});
    const url = await vendor.api.made<string>('/v1/c/customer/authenticate', { id: customer });
    cookie = ((await fetch(url, { method: 'POST', redirect: 'manual' })).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  });
  const page = async (headers: Headers): Promise<string> => (await fetch(`${base}/portal`, { headers: { cookie, ...headers } })).text();
  const choose = (fields: Record<string, string>, headers: Headers = {}): Promise<Response> =>
    fetch(`${base}/portal/language`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, ...headers },
      body: new URLSearchParams(fields),
    });

  it('is what the browser asks for, English where it asks for another', async () => {
    expect(await page({ 'accept-language': 'de-AT,en;q=0.5' })).toContain('<html lang="de">');
    expect(await page({ 'accept-language': 'fr' })).toContain('<html lang="en">');
  });

  it('is what was chosen, on the page where it was chosen', async () => {
    const chosen = await choose({ language: 'de', to: '/portal' });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/portal']);
    const language = (chosen.headers.get('set-cookie') ?? '').split(';')[0];
    expect(await page({ 'accept-language': 'en', cookie: `${cookie}; ${language}` })).toContain('<html lang="de">');
  });

  it('leaves the choices and the place in a list as they are, which stand in the address', async () => {
    const address = '/portal/invoices?show=open';
    expect(await (await fetch(`${base}${address}`, { headers: { cookie } })).text()).toContain(`name="to" value="${address}"`);
    expect((await choose({ language: 'de', to: address })).headers.get('location')).toBe(address);
  });

  it('is refused when the portal is not written in it, and for a form of another site', async () => {
    expect((await choose({ language: 'xx' })).status).toBe(400);
    expect((await choose({ language: 'de' }, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/portal/../../x',
    '/portal//evil.example',
    '/portalx',
    '/portal?a=b\\r\\nx: y',
    '/portal?to=<b>',
    '',
    'javascript:alert(1)',
  ])('leads to no other site: %s', async (to) => {
    expect((await choose({ language: 'en', to })).headers.get('location')).toBe('/portal');
  });
});
