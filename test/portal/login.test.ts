import { type AnyJson, api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('the customer portal', () => {
  let vendor: TestVendor;
  let customer: string;

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    customer = await vendor.api.made('/v1/c/customer', {
      name: 'Ada <Lovelace>',
      emails: { main: 'ada@example.com' },
      customer_reference: 'crm-1',
      addresses: { main: { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' } },
    });
    const plan: string = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro 2026',
      external_name: 'Pro',
      strategy: 'plan',
      features: [{ slug: 'calls', name: 'API calls' }],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: { amount: '1029.00', strategy_details: { pricing_strategy: 'flat' } },
          features: { calls: { amount: '0.10', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } } },
        },
      ],
    });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '1234.5' });
  });

  const loginUrl = (hints: AnyJson = { id: customer }): Promise<string> => vendor.api.made('/v1/c/customer/authenticate', hints);
  const visit = (url: string, cookie?: string, method = 'GET'): Promise<Response> =>
    fetch(url, { method, redirect: 'manual', headers: cookie === undefined ? {} : { cookie } });
  /** Does what the button on the link's page does. */
  const enter = (url: string): Promise<Response> => visit(url, undefined, 'POST');
  const home = async (): Promise<string> => `${(await servers()).baseUrl}/portal`;
  const cookieOf = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

  it('gets a 201 with a URL that contains a token', async () => {
    const { status, body } = await vendor.api.post('/v1/c/customer/authenticate', { id: customer });
    expect(status).toBe(201);
    expect(new URL(body).searchParams.get('token')).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('exchanges the token for an HttpOnly cookie and redirects to a URL without the token', async () => {
    const response = await enter(await loginUrl());
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/portal');
    expect(response.headers.get('set-cookie')).toMatch(/^perennial_portal=[A-Za-z0-9_-]{43}; Path=\/portal; HttpOnly; SameSite=Lax$/);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('shows customer, plan, period, usage and the open invoice, escaped, without resources of other origins', async () => {
    const response = await visit(await home(), cookieOf(await enter(await loginUrl())));
    const text = await response.text();
    expect(response.status).toBe(200);
    for (const part of [
      'Bricks &amp; Co',
      'Ada &lt;Lovelace&gt;',
      'Pro',
      'USD 1,029.00',
      'Current period',
      'API calls',
      '1,234.5',
      'Berlin',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/(src|href)="(?!\/portal[/"]|#)|<Lovelace>/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('lists paid invoices too; only their own customer can download them', async () => {
    const paid: string = await vendor.api.made('/v1/c/customer', { name: 'Paid' });
    await vendor.api.made(`/v1/c/customer/${paid}/activate`, {});
    const { hits } = await vendor.api.read('/v1/c/plan?slug=pro');
    const contract: string = await vendor.api.made('/v1/c/contract', { customer: paid, plan: hits[0].id, currency: 'usd', cycle: 'month' });
    const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    await vendor.api.made(`/v1/c/invoice/${invoice.id}/pay`, { method: 'manual' });
    const cookie = cookieOf(await enter(await loginUrl({ id: paid })));
    const text = await (await visit(await home(), cookie)).text();
    expect(text).toMatch(/Latest documents[\s\S]*Paid/);
    expect(text).toContain(`href="/portal/invoice/${invoice.id}"`);
    const file = await visit(`${await home()}/invoice/${invoice.id}`, cookie);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="invoice-${invoice.invoice_number.number}.pdf"`);
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const stranger = cookieOf(await enter(await loginUrl()));
    expect((await visit(`${await home()}/invoice/${invoice.id}`, stranger)).status).toBe(404);
    expect((await visit(`${await home()}/invoice/${invoice.id}`)).status).toBe(401);
  });

  it('allows a customer 30 downloads a minute, then a 429 with Retry-After; another customer has a separate limit', async () => {
    const [first, second] = [
      await vendor.api.made<string>('/v1/c/customer', { name: 'Many downloads' }),
      await vendor.api.made<string>('/v1/c/customer', { name: 'No downloads' }),
    ];
    const unknown = `${await home()}/invoice/Inv_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f`;
    const cookie = cookieOf(await enter(await loginUrl({ id: first })));
    const responses: Response[] = [];
    for (let n = 0; n < 61; n += 1) responses.push(await visit(unknown, cookie));
    const refused = responses.filter(({ status }) => status === 429);
    // the requests may fall into two minutes, so up to sixty can be allowed
    expect(responses.filter(({ status }) => status === 404).length).toBeLessThanOrEqual(60);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused[0]?.text()).toContain('Too many downloads');
    expect((await visit(unknown, cookieOf(await enter(await loginUrl({ id: second }))))).status).toBe(404);
  });

  it('shows the default payment method and credit notes, only to their own customer', async () => {
    const credited: string = await vendor.api.made('/v1/c/customer', { name: 'Credited' });
    const page = async () => (await visit(await home(), cookieOf(await enter(await loginUrl({ id: credited }))))).text();
    const pageText = async () => (await page()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect(await pageText()).toContain('Payment method No payment method is used automatically.');
    expect(await pageText()).not.toContain('Credit note');
    await vendor.api.made(`/v1/c/customer/${credited}/activate`, {});
    const session = await vendor.api.made<AnyJson>(`/v1/c/customer/${credited}/payment/session`, { provider: 'sandbox' });
    await vendor.api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_declined' });
    const { hits } = await vendor.api.read('/v1/c/plan?slug=pro');
    const contract = await vendor.api.made('/v1/c/contract', { customer: credited, plan: hits[0].id, currency: 'usd', cycle: 'month' });
    const [{ invoice, invoice_items }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    // a credit note is refused while a payment is in progress
    await eventually(async () => {
      const { invoice: current } = await vendor.api.read(`/v1/c/invoice/${invoice.id}`);
      expect(current.deposit_transaction_status).toBe('failed');
    });
    const items = [{ invoice_item_id: invoice_items[0].id, amount: '1009.00' }];
    await vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet' });
    const text = await pageText();
    expect(text).toContain('Payment method Test card (declined) ending in ');
    expect(text).toMatch(new RegExp(`Open invoices .* ${invoice.invoice_number.number} .* USD 20\\.00`));
    expect(text).toMatch(new RegExp(`Credit note \\d+ PDF .* USD 1,009\\.00 Credited of invoice ${invoice.invoice_number.number}`));
    const other = await (await visit(await home(), cookieOf(await enter(await loginUrl())))).text();
    expect(other).not.toMatch(/Credit note|sandbox_declined/);
  });

  it('opens once: the same link is a 410 the second time', async () => {
    const url = await loginUrl();
    await enter(url);
    expect((await visit(url)).status).toBe(410);
    expect((await enter(url)).status).toBe(410);
  });

  it('opens for one of twenty requests with the same link at once', async () => {
    const url = await loginUrl();
    const responses = await Promise.all(Array.from({ length: 20 }, () => enter(url)));
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('is not opened by a GET of the link, as mail scanners send: its page has a button that opens it', async () => {
    const url = await loginUrl();
    for (const method of ['HEAD', 'GET', 'GET']) {
      const page = await visit(url, undefined, method);
      expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    }
    const action = /<form method="post" action="([^"]+)">/.exec(await (await visit(url)).text())?.[1] ?? '';
    const entered = await enter(new URL(action, url).href);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/portal']);
  });

  it('refuses a link older than five minutes and stores only its hash', async () => {
    const url = await loginUrl();
    const token = new URL(url).searchParams.get('token');
    const stored = await withTestDatabase(async (db) => {
      const rows = await db.query<{ hash: string }>('select hash from portal_token where customer_id = $1', [customer]);
      await db.query(`update portal_token set expires = expires - interval '5 minutes' where customer_id = $1 and used_at is null`, [
        customer,
      ]);
      return rows;
    });
    expect(stored.map(({ hash }) => hash)).not.toContain(token);
    expect((await visit(url)).status).toBe(410);
    expect((await enter(url)).status).toBe(410);
  });

  it('ends a session after an hour without requests', async () => {
    const cookie = cookieOf(await enter(await loginUrl()));
    await withTestDatabase((db) =>
      db.query(`update portal_session set expires = expires - interval '1 hour' where customer_id = $1`, [customer]),
    );
    expect((await visit(await home(), cookie)).status).toBe(401);
  });

  it('ends the session of a customer who leaves', async () => {
    const cookie = cookieOf(await enter(await loginUrl()));
    expect((await visit(`${await home()}/leave`, cookie, 'POST')).status).toBe(303);
    expect((await visit(await home(), cookie)).status).toBe(401);
  });

  it('is a 401 without a session and a 404 for an unknown page', async () => {
    expect((await visit(await home())).status).toBe(401);
    expect((await visit(`${await home()}?token=nonsense`)).status).toBe(410);
    expect((await visit(`${await home()}/elsewhere`)).status).toBe(404);
    for (const [method, path] of [
      ['PUT', ''],
      ['POST', ''],
      ['GET', '/'],
      ['GET', '/leave'],
      ['POST', '/invoice/Inv_1'],
    ]) {
      const met = await visit(`${await home()}${path}`, undefined, method);
      expect([method, path, met.status, met.headers.get('content-type')]).toEqual([method, path, 404, 'text/html; charset=utf-8']);
    }
  });

  it('finds a customer by id, e-mail in any case or reference, when all given fields match', async () => {
    const status = async (hints: AnyJson) => (await vendor.api.post('/v1/c/customer/authenticate', hints)).status;
    expect(await status({ email: 'ADA@example.com' })).toBe(201);
    expect(await status({ reference: 'crm-1' })).toBe(201);
    expect(await status({ id: customer, email: 'ada@example.com', reference: 'crm-1' })).toBe(201);
    expect(await status({ id: customer, email: 'bob@example.com' })).toBe(404);
    expect(await status({ id: '', email: 'ada@example.com', reference: '' })).toBe(201);
    expect(await status({ id: '', email: '' })).toBe(400);
    expect(await status({})).toBe(400);
  });

  it('is a 409 when two customers match, and a 404 for another vendor', async () => {
    await vendor.api.made('/v1/c/customer', { name: 'One', customer_reference: 'twin' });
    await vendor.api.made('/v1/c/customer', { name: 'Two', customer_reference: 'twin' });
    expect((await vendor.api.post('/v1/c/customer/authenticate', { reference: 'twin' })).status).toBe(409);
    const other = await newVendor('Other');
    expect((await other.api.post('/v1/c/customer/authenticate', { id: customer })).status).toBe(404);
  });

  it('never stores the URL: a repeat with the same Idempotency-Key is a 409 secret_already_shown', async () => {
    const key = { 'idempotency-key': 'login-1' };
    expect((await vendor.api.post('/v1/c/customer/authenticate', { id: customer }, key)).status).toBe(201);
    const again = await vendor.api.post('/v1/c/customer/authenticate', { id: customer }, key);
    expect([again.status, again.body.code]).toEqual([409, 'secret_already_shown']);
  });

  it('shows a frozen customer that the account is paused', async () => {
    const frozen: string = await vendor.api.made('/v1/c/customer', { name: 'Frozen' });
    await vendor.api.made(`/v1/c/customer/${frozen}/inactivate`, {});
    const cookie = cookieOf(await enter(await loginUrl({ id: frozen })));
    expect(await (await visit(await home(), cookie)).text()).toContain('This account is paused.');
  });

  it('needs a key to create the URL', async () => {
    expect((await api(null).post('/v1/c/customer/authenticate', { id: customer })).status).toBe(401);
  });
});
