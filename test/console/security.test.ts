import { CONSOLE_PAGES } from '../../console/console.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const EXAMPLE = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
/** What makes code run or style apply without a file of ours. */
const INLINE = /<style|\sstyle=|<script(?![^>]* src="\/console\/asset\/)|\son\w+=|javascript:/i;

describe('the console against others', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let base: string;

  beforeAll(async () => {
    vendor = await newVendor('Guarded');
    base = (await servers()).baseUrl;
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('signs nobody in, and nobody out, by a form of another site or without its session’s own value', async () => {
    const stranger = new VendorInConsole(base);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await stranger.post('/console/sign_in', { api_key: vendor.apiKey }, headers)).status).toBe(403);
      for (const path of ['/console/leave', '/console/leave_everywhere'])
        expect([path, (await visitor.post(path, { csrf: await visitor.csrf() }, headers)).status]).toEqual([path, 403]);
    }
    const other = await VendorInConsole.signIn(vendor.apiKey);
    for (const csrf of ['', 'x', await other.csrf()]) expect((await visitor.post('/console/leave', { csrf })).status).toBe(403);
    expect((await visitor.get('/console')).status).toBe(200);
  });

  it('forbids frames, caches, referrers to others, inline script and inline style on every response', async () => {
    const stranger = new VendorInConsole(base);
    const customer: string = await vendor.api.made('/v1/c/customer', { name: '<b>Ada</b>' });
    const responses = [
      await stranger.get('/console'),
      await stranger.get('/console/nothing'),
      await stranger.post('/console/sign_in', { api_key: 'x' }),
      await visitor.get('/console/nothing'),
      await visitor.get('/console/asset/nothing.css'),
      await visitor.get(`/console/customer/${customer}`),
      await visitor.post('/console/language', { language: 'xx' }),
    ];
    for (const { method, path } of CONSOLE_PAGES)
      if (method === 'get') responses.push(await visitor.get(`/console${path.replaceAll(/:\w+/g, EXAMPLE)}`));
    expect(responses.length).toBeGreaterThan(15);
    for (const { headers, html, status } of responses) {
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
      ])
        expect(policy.split('; ')).toContain(part);
      expect([status, headers.get('x-frame-options'), headers.get('cache-control')]).toEqual([status, 'DENY', 'no-store']);
      expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(INLINE.exec(html)?.[0]).toBeUndefined();
    }
    expect(responses[5]?.html).toContain('&lt;b&gt;Ada&lt;/b&gt;');
  });

  it('is the same 404 for another vendor’s ids and for what there is not', async () => {
    const other = await newVendor('Other');
    const customer: string = await other.api.made('/v1/c/customer', { name: 'Hidden' });
    await other.api.made(`/v1/c/customer/${customer}/activate`, {});
    const plan: string = await other.api.made('/v1/c/plan', {
      slug: 'p',
      internal_name: 'Secret',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    const contract: string = await other.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const [{ invoice }] = (await other.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    const texts = new Set<string>();
    for (const path of [
      `customer/${customer}`,
      `contract/${contract}`,
      `plan/${plan}`,
      `plan/${plan}/version/1`,
      `invoice/${invoice.id}`,
      `invoice/${invoice.id}/pdf`,
      `credit_note/CNote_${EXAMPLE}/pdf`,
      `customer/Cust_${EXAMPLE}`,
      'customer/%00',
      'customer/x',
      'nothing',
    ]) {
      const page = await visitor.get(`/console/${path}`);
      expect([path, page.status]).toEqual([path, 404]);
      texts.add(page.text);
    }
    expect(texts.size).toBe(1);
    for (const id of [customer, contract, invoice.id]) {
      const found = await visitor.page(`/console/search?q=${id}`);
      expect(found.text).toContain('Nothing was found');
      for (const list of [
        `contracts?customer=${id}`,
        `invoices?customer=${id}`,
        `invoices?contract=${id}`,
        `events?object=${id}`,
        `audit?object=${id}`,
      ])
        expect([list, (await visitor.page(`/console/${list}`)).text]).toEqual([list, expect.stringContaining('None.')]);
    }
  });

  it('shows by no page and touches by no act what is another vendor’s', async () => {
    const other = await newVendor('Other');
    const { api } = other;
    const customer: string = await api.made('/v1/c/customer', { name: 'Hidden' });
    await api.made(`/v1/c/customer/${customer}/activate`, {});
    const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
    const plan: string = await api.made('/v1/c/plan', {
      slug: 'p',
      internal_name: 'Secret',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price }],
    });
    const contract: string = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const [{ invoice }] = (await api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    const gift = { customer, currency: 'usd', amount: '5', kind: 'promotional' };
    const ids: Record<string, string> = {
      ...{ customer, contract, invoice: invoice.id, plan, credit_note: `CNote_${EXAMPLE}` },
      credit_grant: await api.made('/v1/c/credit_grant', gift),
      webhook: (await api.made<{ id: string }>('/v1/c/webhook_endpoint', { url: 'https://example.com/hook' })).id,
      test_clock: await api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' }),
      import: await api.made('/v1/c/import', {}),
    };
    const [{ id: event }] = (await api.read(`/v1/c/event?object=${contract}`)).hits;
    const move: string = await api.made(`/v1/c/plan/${plan}/move`, { when: 'next_cycle' });
    const filled = (path: string): string =>
      `/console${path.replace(/^\/(\w+)\/:id/, (_, noun) => `/${noun}/${ids[noun]}`)}`
        .replace(':number', '1')
        .replace(':event', event)
        .replace(':move', move);
    const ofObjects = CONSOLE_PAGES.filter(({ path }) => path.includes('/:id'));
    expect(ofObjects.length).toBeGreaterThan(60);
    const before = await api.read('/v1/c/audit');
    // a session of its own: each may open so many pages a minute
    const stranger = await VendorInConsole.signIn(vendor.apiKey);
    const csrf = await stranger.csrf();
    const unknown = await stranger.get('/console/nothing');
    for (const { method, path } of ofObjects) {
      const own = filled(path);
      expect(own).not.toMatch(/:|undefined/);
      if (method === 'get') {
        const { status, text } = await stranger.get(own);
        expect([path, status, text]).toEqual([path, 404, unknown.text]);
        continue;
      }
      const nowhere = own.replaceAll(/([A-Z]\w*)_[\w-]+/g, `$1_${EXAMPLE}`);
      const [theirs, none] = [await stranger.post(own, { csrf }), await stranger.post(nowhere, { csrf })];
      expect([path, theirs.status, theirs.text]).toEqual([path, none.status, none.text]);
      expect([path, theirs.status >= 400]).toEqual([path, true]);
    }
    expect((await api.read('/v1/c/audit?actor=console')).total).toBe(0);
    expect((await api.read('/v1/c/audit')).total).toBe(before.total);
  });

  it('acts by no request of a key that only reads', async () => {
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key);
    expect((await reader.page('/console')).html).toContain('Read only');
    const before = await vendor.api.read('/v1/c/audit');
    const csrf = await reader.csrf();
    const isAct = (path: string) => CONSOLE_PAGES.some((route) => route.method === 'post' && route.path === path);
    expect(CONSOLE_PAGES.filter(({ path }) => isAct(path)).length).toBeGreaterThan(5);
    for (const { method, path } of CONSOLE_PAGES) {
      const { status } = await reader.post(`/console${path.replaceAll(/:\w+/g, EXAMPLE)}`, { csrf });
      expect([path, status]).toEqual([path, isAct(path) ? 403 : 404]);
      if (method === 'get' && isAct(path)) expect((await reader.get(`/console${path.replaceAll(/:\w+/g, EXAMPLE)}`)).status).toBe(403);
    }
    expect((await vendor.api.read('/v1/c/audit')).total).toBe(before.total);
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/console/../x',
    '/consolex',
    '/console?a=b\r\nx: y',
    'javascript:alert(1)',
  ])('leads to no other site: %s', async (to) => {
    const stranger = new VendorInConsole(base);
    expect((await stranger.post('/console/sign_in', { api_key: vendor.apiKey, to })).location).toBe('/console');
    expect((await visitor.post('/console/language', { language: 'en', to })).location).toBe('/console');
  });
});
