import { checkedVendor, feedback, planBody } from '../api/support.ts';
import type { Api } from '../support/api.ts';

const PATH = '/v1/c/preferences/portal';
const AT_FIRST = { plans: null, name: null, logo_url: null, color: null, links: [], texts: {}, return_urls: [], language: 'en' };

describe('the portal’s preferences', () => {
  let api: Api;
  let planId: string;

  beforeEach(async () => {
    ({ api } = await checkedVendor());
    planId = await api.made('/v1/c/plan', planBody('pro'));
  });

  it('begin with nothing set; absent fields stay, null is the default again, lists are replaced', async () => {
    expect(await api.read(PATH)).toEqual(AT_FIRST);
    const links = [
      { label: { en: 'Terms', de: 'AGB' }, url: 'https://example.com/terms' },
      { label: 'Help', url: 'mailto:help@example.com' },
    ];
    const texts = { welcome: { de: 'Willkommen' }, footer: 'Acme Ltd', anything: 'stored' };
    const set = { plans: [planId], name: 'Acme', logo_url: 'data:image/png;base64,iVBORw0KGgo=', color: '#AABBCC', links, texts };
    const more = { return_urls: ['https://app.example.com', 'http://localhost:5173/x'], language: 'de' };
    expect(await api.post(PATH, { ...set, ...more })).toMatchObject({ status: 200, body: null });
    expect(await api.read(PATH)).toEqual({ ...set, ...more, color: '#aabbcc' });
    await api.post(PATH, { name: 'Acme Billing' });
    await api.post(PATH, {});
    await api.post(PATH);
    expect(await api.read(PATH)).toEqual({ ...set, ...more, color: '#aabbcc', name: 'Acme Billing' });
    await api.post(PATH, { plans: [], links: [links[1]] });
    expect(await api.read(PATH)).toMatchObject({ plans: [], links: [links[1]], texts });
    await api.post(PATH, Object.fromEntries(Object.keys(AT_FIRST).map((field) => [field, null])));
    expect(await api.read(PATH)).toEqual(AT_FIRST);
  });

  it('offer plans of this vendor that are sold: 404 for another’s or an unknown one, 409 for an archived one, nothing changed', async () => {
    const stranger = await checkedVendor();
    const theirs: string = await stranger.api.made('/v1/c/plan', planBody('pro'));
    expect(await api.post(PATH, { plans: [planId, theirs], name: 'X' })).toMatchObject({ status: 404, body: { code: 'plan_not_found' } });
    await api.made(`/v1/c/plan/${planId}/archive`, {});
    expect(await api.post(PATH, { plans: [planId], name: 'X' })).toMatchObject({ status: 409, body: { code: 'plan_archived' } });
    expect(await api.read(PATH)).toEqual(AT_FIRST);
    expect(await stranger.api.read(PATH)).toEqual(AT_FIRST);
  });

  it.each([
    ['color', ['red', '#abc', '#12345g', '#1234567', 'url(x)']],
    ['logo_url', ['http://example.com/a.png', 'javascript:alert(1)', 'data:text/html;base64,AAAA', '/logo.png']],
    ['logo_url', [`data:image/png;base64,${'A'.repeat(90_000)}`, `https://example.com/${'a'.repeat(2_000)}`]],
    ['return_urls', [['http://example.com'], ['https://a@example.com'], ['example.com'], Array(51).fill('https://example.com')]],
    [
      'links',
      [[{ label: 'x', url: 'javascript:alert(1)' }], [{ label: '', url: 'https://example.com' }], [{ url: 'https://example.com' }]],
    ],
    ['links', [[{ label: 'x', url: 'mailto:a@b.example?bcc=c@d.example' }], Array(21).fill({ label: 'x', url: 'https://example.com' })]],
    [
      'texts',
      [{ a: 'x'.repeat(2_001) }, { a: { fr: 'x' } }, { a: {} }, Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, 'x']))],
    ],
    ['plans', [['pro'], 'pro']],
    ['language', ['fr', 'EN']],
    ['name', ['', 'x'.repeat(201)]],
    ['colour', ['#aabbcc']],
  ])('are a 400 that names %s', async (field, values) => {
    for (const value of values) {
      const refused = await api.post(PATH, { [field]: value });
      expect(refused.status).toBe(400);
      expect(Object.keys(feedback(refused)).map((name) => name.split(/[.[]/)[0])).toContain(field);
    }
    expect(await api.read(PATH)).toEqual(AT_FIRST);
  });

  it('are how the pages look: name, logo, color, links and texts in the language of the page, escaped', async () => {
    const texts = { welcome: { en: 'Good <morning>', de: 'Guten Morgen' }, footer: 'Acme Ltd', change: 'Ask us first', cancel: 'Stay!' };
    const links = [{ label: { en: 'Terms', de: 'AGB' }, url: 'https://example.com/terms?a=1&b=2' }];
    const look = { name: 'Acme & Sons', logo_url: 'https://img.example.com/logo.png', color: '#aa0000', links, texts };
    await api.made(PATH, look);
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
    const contract: string = await api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month' });
    const url = await api.made<string>('/v1/c/customer/authenticate', { id: customer });
    expect(await (await fetch(url)).text()).toContain('Acme &amp; Sons');
    const entered = await fetch(url, { method: 'POST', redirect: 'manual' });
    const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const opens = (path: string, language = 'en') =>
      fetch(`${new URL(url).origin}${path}`, { headers: { cookie, 'accept-language': language } });
    const home = await opens('/portal');
    const text = await home.text();
    for (const part of [
      'Acme &amp; Sons',
      'Good &lt;morning&gt;',
      'Acme Ltd',
      '<a href="https://example.com/terms?a=1&amp;b=2" rel="noreferrer">Terms</a>',
    ])
      expect(text).toContain(part);
    expect(text).toContain('<img src="https://img.example.com/logo.png"');
    expect(home.headers.get('content-security-policy')).toContain("img-src 'self' https://img.example.com;");
    const german = await (await opens('/portal', 'de')).text();
    expect([german.includes('Guten Morgen'), german.includes('AGB</a>'), german.includes('Acme Ltd')]).toEqual([true, true, true]);
    expect(await (await opens(`/portal/contract/${contract}/change`)).text()).toContain('Ask us first');
    expect(await (await opens(`/portal/contract/${contract}/cancel`)).text()).toContain('Stay!');
    await api.made(PATH, { logo_url: 'data:image/png;base64,iVBORw0KGgo=' });
    expect((await opens('/portal')).headers.get('content-security-policy')).toContain("img-src 'self' data:;");
  });

  it('the language of a customer is its own, or null for the vendor’s', async () => {
    const id: string = await api.made('/v1/c/customer', { name: 'Ada' });
    const language = async () => (await api.read(`/v1/c/customer/${id}`)).language;
    expect(await language()).toBeNull();
    await api.made('/v1/c/customer', { id, language: 'de' });
    await api.made('/v1/c/customer', { id, name: 'Ada L' });
    expect(await language()).toBe('de');
    await api.made('/v1/c/customer', { id, language: null });
    expect(await language()).toBeNull();
    expect(Object.keys(feedback(await api.post('/v1/c/customer', { id, language: 'fr' })))).toEqual(['language']);
    const german: string = await api.made('/v1/c/customer', { name: 'Käthe', language: 'de' });
    expect((await api.read(`/v1/c/customer?id=${german}`)).hits[0].language).toBe('de');
  });
});
