import { planBody, signedContract } from '../api/support.ts';
import type { AnyJson } from '../support/api.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('a link to the portal', () => {
  let vendor: TestVendor;
  let customer: string;
  let contract: string;
  let invoice: string;

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    ({ customerId: customer, contractId: contract } = await signedContract(vendor));
    invoice = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits[0].invoice.id;
    const return_urls = ['https://app.example.com', 'http://localhost:5173/billing'];
    await vendor.api.made('/v1/c/preferences/portal', { return_urls });
  });

  const asks = (more: AnyJson) => vendor.api.post('/v1/c/customer/authenticate', { id: customer, ...more });
  const wrongFields = async (more: AnyJson) => {
    const { status, body } = await asks(more);
    return [status, Object.keys(body.feedback ?? {})];
  };
  /** Does what the button on the link's page does. */
  const enters = async (url: string) => {
    const response = await fetch(url, { method: 'POST', redirect: 'manual' });
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return { to: response.headers.get('location'), cookie };
  };
  const shows = async (url: string, cookie: string) => (await fetch(url, { headers: { cookie } })).text();
  const backLinks = (page: string) => [...page.matchAll(/<a class="back" href="([^"]*)"[^>]*>([^<]*)</g)].map(([, to, text]) => [to, text]);

  it('leads to the page of its flow: pay, method, change, cancel, else the overview', async () => {
    const to = async (more: AnyJson) => (await enters((await asks(more)).body)).to;
    expect(await to({})).toBe('/portal');
    expect(await to({ flow: 'pay', invoice })).toBe(`/portal/invoice/${invoice}/pay`);
    expect(await to({ flow: 'method' })).toBe('/portal/methods');
    expect(await to({ flow: 'change', contract })).toBe(`/portal/contract/${contract}/change`);
    expect(await to({ flow: 'cancel', contract })).toBe(`/portal/contract/${contract}/cancel`);
    expect(await to({ flow: null, invoice: null, contract: null, return_url: null })).toBe('/portal');
  });

  it('opens a page that there is, for each flow, which leads back', async () => {
    const about = [{}, { flow: 'pay', invoice }, { flow: 'method' }, { flow: 'change', contract }, { flow: 'cancel', contract }];
    for (const more of about) {
      const { body: url } = await asks({ ...more, return_url: 'https://app.example.com/' });
      const { to, cookie } = await enters(url);
      const page = await fetch(`${new URL(url).origin}${to}`, { redirect: 'manual', headers: { cookie } });
      expect([more, page.status]).toEqual([more, 200]);
      expect(backLinks(await page.text())).toEqual([['https://app.example.com/', 'Back to Bricks &amp; Co']]);
    }
  });

  it('needs the id of what its flow is about, and no other', async () => {
    expect(await wrongFields({ flow: 'pay' })).toEqual([400, ['invoice']]);
    expect(await wrongFields({ flow: 'change' })).toEqual([400, ['contract']]);
    expect(await wrongFields({ flow: 'cancel', invoice })).toEqual([400, expect.arrayContaining(['invoice', 'contract'])]);
    expect(await wrongFields({ flow: 'method', contract })).toEqual([400, ['contract']]);
    expect(await wrongFields({ invoice })).toEqual([400, ['invoice']]);
    expect(await wrongFields({ flow: 'leave' })).toEqual([400, ['flow']]);
    expect(await wrongFields({ flow: 'pay', invoice: contract })).toEqual([400, ['invoice']]);
  });

  it('is a 404 for what isn’t this customer’s: another customer’s, another vendor’s, or nobody’s', async () => {
    const neighbour = await signedContract(vendor);
    const stranger = await signedContract(await newVendor('Stranger'));
    const nobodys = 'Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
    for (const other of [neighbour.contractId, stranger.contractId, nobodys])
      expect(await asks({ flow: 'change', contract: other })).toMatchObject({ status: 404, body: { code: 'contract_not_found' } });
    const [{ invoice: theirs }] = (await vendor.api.read(`/v1/c/invoice?contract=${neighbour.contractId}`)).hits;
    for (const other of [theirs.id, nobodys.replace('Cont', 'Inv')])
      expect(await asks({ flow: 'pay', invoice: other })).toMatchObject({ status: 404, body: { code: 'invoice_not_found' } });
  });

  it('is a 404 for an invoice that awaits its validation', async () => {
    const drafts = await vendor.api.made<string>('/v1/c/customer', { name: 'Drafts' });
    const plan = await vendor.api.made<string>('/v1/c/plan', planBody('drafts'));
    const more = { currency: 'usd', cycle: 'month', invoice_trigger: 'manual' };
    const signed = await vendor.api.made<string>('/v1/c/contract', { customer: drafts, plan, ...more });
    await vendor.api.made('/v1/c/invoice', { contract_id: signed });
    const [{ invoice: draft }] = (await vendor.api.read(`/v1/c/invoice?contract=${signed}`)).hits;
    expect(draft.status).toBe('pending_validation');
    expect((await asks({ id: drafts, flow: 'pay', invoice: draft.id })).status).toBe(404);
  });

  it('leads back to where it was asked for, on every page and with the vendor’s name', async () => {
    const { body: url } = await asks({ return_url: 'https://app.example.com/billing?tab="1"' });
    const { cookie } = await enters(url);
    const home = new URL(url).origin;
    const back = [['https://app.example.com/billing?tab=%221%22', 'Back to Bricks &amp; Co']];
    expect(backLinks(await shows(`${home}/portal`, cookie))).toEqual(back);
    expect(backLinks(await shows(`${home}/portal/elsewhere`, cookie))).toEqual(back);
    const plain = await enters((await asks({})).body);
    expect(backLinks(await shows(`${home}/portal`, plain.cookie))).toEqual([]);
  });

  it('never leads to where the address of a page says', async () => {
    const { body: url } = await asks({ return_url: 'http://localhost:5173/done' });
    const evil = encodeURIComponent('https://evil.example/');
    const { to, cookie } = await enters(`${url}&return_url=${evil}&to=${evil}&next=${evil}`);
    expect(to).toBe('/portal');
    const page = await shows(`${new URL(url).origin}/portal?return_url=${evil}&returnUrl=${evil}`, cookie);
    expect(backLinks(page)).toEqual([['http://localhost:5173/done', 'Back to Bricks &amp; Co']]);
    // the form for another language has the page's own address, which is a path of ours
    expect(page.replace(/name="to" value="\/portal\?[^"]*"/, '')).not.toContain('evil.example');
  });

  it.each([
    'https://evil.example/',
    'http://app.example.com/',
    'https://app.example.com:8443/',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'https://evil.example\\@app.example.com/',
    'https:\\\\app.example.com',
    '//app.example.com/',
    '/portal',
    'javascript:alert(1)',
    'http://localhost:5174/billing',
    'http://127.0.0.1:5173/billing',
    '',
  ])('is a 400 for a return_url of no listed origin: %s', async (return_url) => {
    expect(await wrongFields({ return_url })).toEqual([400, ['return_url']]);
  });

  it('is a 400 with a return_url while nothing is listed, as at the start', async () => {
    const other = await newVendor('Nothing listed');
    const id = await other.api.made<string>('/v1/c/customer', { name: 'Ada' });
    const { status } = await other.api.post('/v1/c/customer/authenticate', { id, return_url: 'https://app.example.com/' });
    expect(status).toBe(400);
  });
});
