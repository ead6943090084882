import { connect, type Socket } from 'node:net';
import { anyFreePort } from '../../local-stack/ports.ts';
import { api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { checkedVendor, feedback, signedContract } from './support.ts';

const KIB = 1024;

/** Sends a request as raw bytes, as no HTTP client would. */
async function sendBytes(text: string, at?: string): Promise<{ socket: Socket; response: Promise<string> }> {
  const { hostname, port } = new URL(at ?? (await servers()).baseUrl);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (part) => {
    received += part.toString();
  });
  const response = new Promise<string>((done) => {
    socket.on('error', () => done(received));
    socket.on('close', () => done(received));
  });
  socket.write(text);
  return { socket, response };
}

const head = (path: string, headers: Record<string, string | number>): string =>
  `POST ${path} HTTP/1.1\r\n${Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

describe('every response', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await checkedVendor();
  });

  it('forbids caching and content sniffing: pages, errors, PDFs, the portal and webhooks too', async () => {
    const { baseUrl } = await servers();
    const { contractId } = await signedContract(vendor);
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contractId}`);
    const pdf = `/v1/c/invoice/${hits[0].invoice.id}/pdf`;
    const paths = ['/healthz', '/readyz', '/openapi.json', '/docs', '/', '/v1/c/customer?limit=1', '/v1/c/nothing', '/portal', pdf];
    for (const path of [...paths, '/v1/payment_webhook/nobody', '/v1/c/plan']) {
      const { headers } = await fetch(`${baseUrl}${path}`, { headers: path === '/v1/c/plan' ? {} : { 'wb-key': vendor.apiKey } });
      expect([path, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([path, 'no-store', 'nosniff']);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, null]);
    }
  });

  it('with status 401 names the accepted credentials', async () => {
    for (const key of [null, 'nonsense', `api_key_${'x'.repeat(43)}`]) {
      const { status, headers } = await api(key).get('/v1/c/plan');
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'ApiKey realm="Perennial", header="wb-key"']);
    }
    const { baseUrl } = await servers();
    expect((await fetch(`${baseUrl}/portal`)).headers.get('www-authenticate')).toMatch(/^PortalLink /);
  });
});

describe('a body', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await checkedVendor();
  });

  it('that is refused for its shape stores no Idempotency-Key: the corrected body is accepted under the same key', async () => {
    const key = { 'idempotency-key': 'corrected' };
    const address = { line_1: '1 Main St', city: 'London', zip: 'N1' };
    const wrong = { name: 'Corrected', addresses: { main: { ...address, country: 'UK' } } };
    expect((await vendor.api.post('/v1/c/customer', wrong, key)).status).toBe(400);
    expect((await vendor.api.post('/v1/c/customer', '{"name":', key)).status).toBe(400);
    expect((await vendor.api.post('/v1/c/customer', 'name=Corrected', { ...key, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await vendor.api.post('/v1/c/customer', { notes: 'x'.repeat(1100 * KIB) }, key)).status).toBe(413);
    const storedKeys = () =>
      withTestDatabase((db) => db.query('select key from idempotency where vendor_id = $1 and key = $2', [vendor.vendorId, 'corrected']));
    expect(await storedKeys()).toEqual([]);
    const right = { ...wrong, addresses: { main: { ...address, country: 'GB' } } };
    const made = await vendor.api.made('/v1/c/customer', right, key);
    expect(await vendor.api.made('/v1/c/customer', right, key)).toBe(made);
    expect((await vendor.api.post('/v1/c/customer', wrong, key)).status).toBe(400);
  });

  it('that is refused by a billing rule stores no key either', async () => {
    const key = { 'idempotency-key': 'sensible' };
    const tiers = (second: string) => [
      { up_to: '10', unit_price: '2' },
      { up_to: second, unit_price: '1' },
      { up_to: null, unit_price: '0.5' },
    ];
    const plan = (second: string) => ({
      ...{ slug: 'sensible', internal_name: 'sensible', strategy: 'feature', features: [{ slug: 'calls', name: 'Calls' }] },
      pricings: [
        {
          ...{ currency: 'usd', cycle: 'month' },
          features: {
            calls: { amount: '0', strategy_details: { pricing_strategy: 'usage_tiered', tier_mode: 'graduated', tiers: tiers(second) } },
          },
        },
      ],
    });
    const refused = await vendor.api.post('/v1/c/plan', plan('5'), key);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect((await vendor.api.post('/v1/c/plan', plan('20'), key)).status).toBe(201);
  });

  it('of 90,000 unknown keys or 70,000 addresses gets a short response', async () => {
    const keys = Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`k${n}`, 1]));
    const addresses = Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`a${n}`, {}]));
    const bodies: [string, object][] = [
      ['body', keys],
      ['addresses', { addresses }],
    ];
    for (const [field, body] of bodies) {
      const refused = await vendor.api.post('/v1/c/customer', body);
      expect(refused.status).toBe(400);
      expect(refused.body.feedback).toEqual({ [field]: { type: 'error', value: 'must have at most 1000 fields' } });
      expect(JSON.stringify(refused.body).length).toBeLessThan(1_000);
    }
  });

  it('of many wrong entries in bulk gets a response with each entry, but not with every field of each', async () => {
    const entry = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, 1]));
    const failures = await vendor.api.made<{ feedback: object }[]>(
      '/v1/c/usage/bulk',
      Array.from({ length: 1000 }, () => entry),
    );
    const fieldCounts = failures.map(({ feedback: fields }) => Object.keys(fields).length);
    expect([fieldCounts.length, fieldCounts[0], fieldCounts.at(-1)]).toEqual([1000, 20, 1]);
  });

  it('without a key is read up to 16 KiB; a longer one closes the connection after the response', async () => {
    const session = (size: number) => api(null).post('/v1/c/session', { api_key: 'x', filler: 'y'.repeat(size) });
    expect((await session(15 * KIB)).status).toBe(400);
    expect(await session(17 * KIB)).toMatchObject({ status: 413, body: { detail: 'A body may have at most 16 KiB without a key.' } });
    // the announced size is enough: no byte of the body is sent
    const announced = await sendBytes(head('/v1/c/session', { 'content-length': 900_000 }));
    expect(await announced.response).toMatch(/^HTTP\/1\.1 413 /);
    const unknown = await sendBytes(`${head('/v1/c/customer', { 'transfer-encoding': 'chunked' })}4000\r\n`);
    expect(await unknown.response).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
  });

  it('of a provider’s notice is read up to 256 KiB', async () => {
    const notice = (size: number) => api(null).post('/v1/payment_webhook/cardproc', 'x'.repeat(size));
    expect(await notice(200 * KIB)).toMatchObject({ status: 404 });
    expect(await notice(257 * KIB)).toMatchObject({ status: 413, body: { detail: 'A body may have at most 256 KiB.' } });
  });
});

describe('what can’t be read as a request', () => {
  const answerTo = async (text: string) => {
    const [top = '', body = ''] = (await (await sendBytes(text)).response).split('\r\n\r\n');
    const [status = '', ...headers] = top.split('\r\n');
    return { status, headers: new Headers(headers.map((line) => line.split(': ') as [string, string])), body: JSON.parse(body) };
  };

  it.each([
    ['headers of 20 KiB', head('/v1/c/session', { 'x-filler': 'y'.repeat(20 * KIB) }), { headers: 'must have at most 16 KiB' }],
    ['an address of 20 KiB', head(`/v1/c/plan?slug=${'y'.repeat(20 * KIB)}`, {}), { headers: 'with the address of the request' }],
    ['another protocol', 'EHLO example.com\r\n\r\n', { request: 'must be an HTTP/1.1 request' }],
  ])('is answered with what is wrong: %s', async (_, text, wrong) => {
    const { status, headers, body } = await answerTo(text);
    const [[field, value] = []] = Object.entries(wrong);
    expect([status, body.status, body.code, body.request_id]).toEqual([
      'HTTP/1.1 400 Bad Request',
      400,
      'invalid_request',
      headers.get('request-id'),
    ]);
    expect(body.feedback[field ?? ''].value).toContain(value);
    expect([headers.get('content-type'), headers.get('connection')]).toEqual(['application/problem+json; charset=utf-8', 'close']);
  });
});

/** An API that serves these tests alone, and limits requests without a key by the addresses that a proxy names. */
let ownApi: SecondApi;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await anyFreePort();
  const limited = { TRUSTED_PROXIES: '127.0.0.1', KEYLESS_LIMIT_PER_MINUTE: '60' };
  ownApi = await secondApi({}, { ...limited, METRICS_PORT: String(metricsPort), METRICS_HOST: '127.0.0.1' });
});
afterAll(() => ownApi.stop());

describe('a caller who disconnects in the middle of a request', () => {
  const counted = async (status: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const line = new RegExp(`perennial_http_request_seconds_count\\{route="/v1/c/test_clock",method="POST",status="${status}"\\} (\\d+)`);
    return Number(line.exec(text)?.[1] ?? 0);
  };

  it('is counted as a failure of the caller (499), not of the server', async () => {
    const vendor = await newVendor();
    const before = [await counted('4xx'), await counted('5xx')];
    const { socket } = await sendBytes(head('/v1/c/test_clock', { 'content-length': 1000, 'wb-key': vendor.apiKey }), ownApi.baseUrl);
    socket.write('{"now":', () => socket.destroy());
    await eventually(async () => expect(await counted('4xx')).toBe((before[0] ?? 0) + 1));
    expect(await counted('5xx')).toBe(before[1]);
  });
});

describe('a session of the vendor’s people', () => {
  const open = async (key: string, at?: string): Promise<string> =>
    (await api(null, at).post('/v1/c/session', { api_key: key })).headers.get('set-cookie')?.split(';')[0] ?? '';

  it('ends for every copy of its cookie; other sessions go on', async () => {
    const vendor = await newVendor();
    const [cookie, other] = [await open(vendor.apiKey), await open(vendor.apiKey)];
    expect(cookie).not.toBe(other);
    expect((await api(null).get('/v1/c/plan', { cookie })).status).toBe(200);
    expect((await api(null).post('/v1/c/session/end', undefined, { cookie })).status).toBe(200);
    expect((await api(null).get('/v1/c/plan', { cookie })).status).toBe(401);
    expect((await api(null).get('/v1/c/plan', { cookie: other })).status).toBe(200);
    // a second end changes nothing, and a wrong cookie ends nothing
    expect((await api(null).post('/v1/c/session/end', undefined, { cookie })).status).toBe(200);
    expect((await api(null).post('/v1/c/session/end', undefined, { cookie: `${other}x` })).status).toBe(200);
    expect((await api(null).get('/v1/c/plan', { cookie: other })).status).toBe(200);
  });

  it('is ended and cleared by no page of another origin', async () => {
    const { baseUrl } = await servers();
    const cookie = await open((await newVendor()).apiKey);
    const end = (headers: Record<string, string>) => api(null).post('/v1/c/session/end', undefined, headers);
    const elsewhere = [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const from of elsewhere) {
      for (const headers of [from, { ...from, cookie }]) {
        const refused = await end(headers);
        expect(refused).toMatchObject({ status: 403, body: { code: 'origin_refused', feedback: { origin: expect.anything() } } });
        expect(refused.headers.get('set-cookie')).toBeNull();
      }
    }
    expect((await api(null).get('/v1/c/plan', { cookie })).status).toBe(200);
    expect((await end({ cookie, origin: baseUrl, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await api(null).get('/v1/c/plan', { cookie })).status).toBe(401);
  });

  it('is started by no form, which has another content type', async () => {
    const { apiKey } = await newVendor();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const started = await api(null).post('/v1/c/session', `{"api_key":"${apiKey}"}`, { 'content-type': type });
      expect([started.status, started.headers.get('set-cookie')]).toEqual([415, null]);
    }
  });

  describe('when callers use https', () => {
    let secure: SecondApi;
    beforeAll(async () => {
      secure = await secondApi({}, { BASE_URL: 'https://billing.example.com' });
    });
    afterAll(() => secure.stop());

    it('accepts writes from pages over https only; each response demands https', async () => {
      const vendor = await newVendor();
      const cookie = await open(vendor.apiKey, secure.baseUrl);
      const write = (origin: string) => api(null, secure.baseUrl).post('/v1/c/customer', { name: 'by cookie' }, { cookie, origin });
      const { host } = new URL(secure.baseUrl);
      expect(await write(`http://${host}`)).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
      expect(await write('http://billing.example.com')).toMatchObject({ status: 403 });
      expect(await write('https://billing.example.com.evil.test')).toMatchObject({ status: 403 });
      expect(await write('null')).toMatchObject({ status: 403 });
      const right = await write('https://billing.example.com');
      expect([right.status, right.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000']);
      expect((await write(`https://${host}`)).status).toBe(200);
      for (const path of ['/healthz', '/portal', '/v1/c/nothing', '/docs'])
        expect((await fetch(`${secure.baseUrl}${path}`)).headers.get('strict-transport-security')).toBe('max-age=31536000');
    });
  });
});

describe('the limit of requests without a key', () => {
  const from = (address: string, key: string | null = null) => {
    const calls = api(key, ownApi.baseUrl);
    return (path: string) => calls.get(path, { 'x-forwarded-for': address });
  };

  it('allows 60 a minute from one address, then says when to retry; a live key, monitors and notices are not limited', async () => {
    const vendor = await newVendor();
    const get = from('203.0.113.1');
    const first = await Promise.all(Array.from({ length: 60 }, () => get('/v1/c/plan')));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([401]));
    for (const path of ['/v1/c/plan', '/v1/c/nothing', '/docs', '/portal']) {
      const { status, headers } = await get(path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 429, expect.stringMatching(/^[1-9]\d?$/)]);
    }
    const refused = await get('/v1/c/plan');
    expect([refused.body.code, Object.keys(feedback(refused))]).toEqual(['rate_limited', ['address']]);
    for (const path of ['/healthz', '/readyz']) expect((await get(path)).status).toBe(200);
    const notice = await api(null, ownApi.baseUrl).post('/v1/payment_webhook/cardproc', {}, { 'x-forwarded-for': '203.0.113.1' });
    expect(notice.status).toBe(404);
    expect((await from('203.0.113.1', vendor.apiKey)('/v1/c/plan')).status).toBe(200);
    expect((await from('203.0.113.2')('/v1/c/plan')).status).toBe(401);
  });

  it('counts a wrong key, an invalid cookie, and requests that need no key', async () => {
    const wrong = from('203.0.113.3', `api_key_${'x'.repeat(43)}`);
    const statuses = [];
    for (let n = 0; n < 61; n += 1) statuses.push((await wrong('/v1/c/plan')).status);
    expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([60, 429]);
    const start = () => api(null, ownApi.baseUrl).post('/v1/c/session', {}, { 'x-forwarded-for': '203.0.113.3' });
    expect((await start()).status).toBe(429);
    const cookie = { cookie: 'wb_user=a.b.c.d', 'x-forwarded-for': '203.0.113.3' };
    expect((await api(null, ownApi.baseUrl).get('/v1/c/plan', cookie)).status).toBe(429);
  });

  it.each([
    ['key', '203.0.113.4', { 'wb-key': 'nonsense' }],
    ['cookie', '203.0.113.5', { cookie: 'wb_user=a.b.c.d' }],
  ])('counts pages, addresses that lead nowhere and what needs no key, also with a wrong %s', async (_what, address, wrong) => {
    const headers = { ...wrong, 'x-forwarded-for': address };
    const { get, post } = api(null, ownApi.baseUrl);
    const asked = await Promise.all(Array.from({ length: 60 }, () => get('/v1/c/nothing', headers)));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([404]));
    for (const path of ['/v1/c/nothing', '/docs', '/openapi.json', '/'])
      expect([path, (await get(path, headers)).status]).toEqual([path, 429]);
    expect((await post('/v1/c/payment/session/none/confirm', {}, headers)).status).toBe(429);
    expect((await get('/healthz', headers)).status).toBe(200);
    const { apiKey } = await newVendor();
    expect((await get('/docs', { 'x-forwarded-for': address, 'wb-key': apiKey })).status).toBe(200);
  });
});

describe('the limit of links to the portal', () => {
  it('counts them also beside a session that there is not', async () => {
    const headers = { cookie: `perennial_portal=${'x'.repeat(43)}`, 'x-forwarded-for': '203.0.113.6' };
    const open = (method: string) => fetch(`${ownApi.baseUrl}/portal?token=none`, { method, headers });
    const asked = await Promise.all(Array.from({ length: 60 }, () => open('GET')));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([410]));
    for (const method of ['GET', 'POST']) expect([method, (await open(method)).status]).toEqual([method, 429]);
    const leave = await fetch(`${ownApi.baseUrl}/portal/leave`, { method: 'POST', headers, redirect: 'manual' });
    expect(leave.status).toBe(429);
  });
});

describe('an error explains what to do', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await checkedVendor();
  });

  it('contract_exists names the existing contract, also for a change and after one', async () => {
    const { customerId, planId, contractId } = await signedContract(vendor);
    const again = () => vendor.api.post('/v1/c/contract', { customer: customerId, plan: planId, currency: 'usd', cycle: 'month' });
    const refused = await again();
    expect([refused.status, refused.body.code, feedback(refused)]).toEqual([409, 'contract_exists', { contract: contractId }]);
    expect(refused.body.detail).toBe(`The customer already has the contract ${contractId} of this plan: change or cancel that one.`);
    const change = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } } };
    const next = await vendor.api.made(`/v1/c/contract/${contractId}/upgrade`, change);
    expect(feedback(await again())).toEqual({ contract: next });
    const other = await vendor.api.made('/v1/c/plan', {
      ...{ slug: 'beside', internal_name: 'beside', strategy: 'plan' },
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '5', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    const beside = await vendor.api.made('/v1/c/contract', { customer: customerId, plan: other, currency: 'usd', cycle: 'month' });
    const planChange = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: planId } };
    for (const verb of ['upgrade_estimate', 'upgrade'])
      expect(feedback(await vendor.api.post(`/v1/c/contract/${beside}/${verb}`, planChange))).toEqual({ contract: next });
  });

  it('a login with an unknown e-mail names the e-mail', async () => {
    const id = await vendor.api.made('/v1/c/customer', { name: 'Eve', emails: { main: 'eve@example.com' } });
    const login = (body: object) => vendor.api.post('/v1/c/customer/authenticate', body);
    const unknown = await login({ email: 'nobody@example.com' });
    expect([unknown.status, unknown.body.detail, feedback(unknown)]).toEqual([
      ...[404, 'No customer has this e-mail address.'],
      { email: 'no customer has this e-mail address' },
    ]);
    expect(Object.keys(feedback(await login({ id, email: 'nobody@example.com', reference: 'none' })))).toEqual(['email', 'reference']);
    expect((await login({ id, email: '', reference: '' })).status).toBe(201);
    await vendor.api.made('/v1/c/customer', { name: 'Fay', emails: { main: 'fay@example.com' } });
    expect((await login({ id, email: 'fay@example.com' })).body.detail).toBe('What is given belongs to different customers.');
  });

  it('a search without a parameter names all parameters', async () => {
    const { status, body } = await vendor.api.get('/v1/c/customer');
    expect([status, body.detail]).toEqual([
      400,
      'One field is not valid: query (give at least one of id, email, customer_reference, plan, status, search, contract_plan_name, ' +
        'payment_status, metadata, limit, offset, direction).',
    ]);
  });

  it('broken JSON is located by line and column', async () => {
    const { status, body } = await vendor.api.post('/v1/c/customer', '{\n  "name": "Ada",\n}');
    expect([status, body.code, body.detail]).toEqual([
      400,
      'invalid_json',
      'The body is not valid JSON: line 3, column 1 has an unexpected "}".',
    ]);
  });
});
