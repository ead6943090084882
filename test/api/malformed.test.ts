import { servers } from '../support/servers.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, feedback } from './support.ts';

type Operation = { requestBody?: object };
const NOBODY = '01890000-0000-7000-8000-000000000000';

describe('a malformed request', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await checkedVendor();
  });
  const customer = '/v1/c/customer';
  const raw = async (body: string | Uint8Array<ArrayBuffer>, type: string | null = 'application/json') => {
    const { baseUrl } = await servers();
    const headers: Record<string, string> = { 'wb-key': vendor.apiKey, ...(type === null ? {} : { 'content-type': type }) };
    const response = await fetch(`${baseUrl}${customer}`, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? Buffer.from(body) : body,
    });
    return { status: response.status, code: ((await response.json()) as { code: string }).code };
  };

  it.each([
    ['no JSON', '{"name":', 'invalid_json'],
    ['nothing at all', '', 'invalid_request'],
    ['a list', '[]', 'invalid_request'],
    ['a NUL', '{"name":"a\\u0000b"}', 'invalid_json'],
    ['a NUL in a key', '{"metadata":{"\\u0000":"x"}}', 'invalid_json'],
    ['a lone surrogate', '{"name":"\\ud800"}', 'invalid_json'],
    ['a key twice', '{"name":"a","name":"b"}', 'invalid_json'],
    ['a key twice, once with an escape', '{"name":"a","n\\u0061me":"b"}', 'invalid_json'],
    ['40 levels', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'invalid_json'],
    ['100,000 levels', '['.repeat(100_000) + ']'.repeat(100_000), 'invalid_json'],
    ['__proto__', '{"__proto__":{"name":"x"}}', 'invalid_request'],
    ['__proto__ in a map, which would be lost', '{"metadata":{"__proto__":"x"}}', 'invalid_request'],
    ['a year of 10 digits', '{"test_clock":null,"name":1e400}', 'invalid_request'],
  ])('with %s is a 400', async (_, body, code) => {
    expect(await raw(body)).toEqual({ status: 400, code });
  });

  it.each([
    ['{"name":"a\\u0000b"}', { name: 'must not contain NUL characters' }],
    ['{"metadata":{"region":"\\ud800"}}', { 'metadata.region': 'must not contain lone surrogates' }],
    ['{"address":{"lines":["a","\\u0000"]}}', { 'address.lines[1]': 'must not contain NUL characters' }],
    ['{"metadata":{"\\u0000":"x"}}', { metadata: 'must not contain NUL characters' }],
    ['{"\\u0000":"x"}', { body: 'must not contain NUL characters' }],
  ])('%s names the field', async (body, errors) => {
    const response = await vendor.api.post(customer, body);
    expect([response.status, response.body.code, feedback(response)]).toEqual([400, 'invalid_json', errors]);
  });

  it('as a query with a limit that is no number of a page names the numbers that are', async () => {
    for (const limit of ['-1', 'many', '101', '1.5']) {
      const response = await vendor.api.get(`/v1/c/customer?limit=${limit}`);
      expect([response.status, feedback(response)]).toEqual([400, { limit: expect.stringMatching(/between 0 and 100$/) }]);
    }
  });

  it('as a query with __proto__ in a map is a 400, not a search for all customers', async () => {
    const response = await vendor.api.get('/v1/c/customer?metadata[__proto__]=x');
    expect([response.status, Object.keys(response.body.feedback)]).toEqual([400, ['__proto__']]);
  });

  it('with a field that the call doesn’t know is a 400 on every call, those without fields included', async () => {
    const { baseUrl } = await servers();
    const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Record<string, Record<string, Operation>> };
    const withBody = Object.entries(paths).flatMap(([path, { post }]) => (post === undefined ? [] : [{ path, post }]));
    expect(withBody.length).toBeGreaterThan(50);
    expect(withBody.filter(({ post }) => post.requestBody === undefined).map(({ path }) => path)).toEqual([]);
    for (const path of ['invoice/{Inv}/validate', 'invoice/{Inv}/void', 'invoice/{Inv}/send', 'credit_grant/{Grant}/void']) {
      const { status, body } = await vendor.api.post(`/v1/c/${path.replace(/{(\w+)}/, `$1_${NOBODY}`)}`, { surprise: 1 });
      expect([path, status, Object.keys(body.feedback)]).toEqual([path, 400, ['surprise']]);
    }
  });

  it('that is not UTF-8 is a 400', async () => {
    expect(await raw(new Uint8Array([0x7b, 0xff, 0x7d]))).toEqual({ status: 400, code: 'invalid_json' });
  });

  it.each([null, 'text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded'])(
    'of type %s is a 415',
    async (type) => {
      expect(await raw('{"name":"x"}', type)).toEqual({ status: 415, code: 'unsupported_media_type' });
    },
  );

  it('that is compressed is a 415 that names the header', async () => {
    const response = await vendor.api.post('/v1/c/customer', { name: 'x' }, { 'content-encoding': 'gzip' });
    expect([response.status, Object.keys(feedback(response))]).toEqual([415, ['content-encoding']]);
    const plain = await vendor.api.post('/v1/c/customer', { name: 'x' }, { 'content-encoding': 'identity' });
    expect(plain.status).toBe(200);
  });

  it('of more than 1 MiB is a 413; just below that its content is checked', async () => {
    const body = (size: number) => JSON.stringify({ notes: 'x'.repeat(size) });
    expect(await raw(body(1024 * 1024))).toEqual({ status: 413, code: 'body_too_large' });
    expect(await raw(body(1024 * 1024 - 20))).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('to an unknown path is a 404, with a wrong method a 405 that names the right methods', async () => {
    expect(await vendor.api.get('/v1/c/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await vendor.api.get('/v1/c/customer/')).toMatchObject({ status: 404 });
    const response = await vendor.api.delete(customer);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD']);
    const page = await vendor.api.post('/openapi.json', {});
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('to the root path shows links to the docs and the portal; other methods are a 405 as JSON', async () => {
    const { baseUrl } = await servers();
    const home = await fetch(`${baseUrl}/`);
    expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(home.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await home.text();
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, to]) => to);
    expect(links).toEqual(['/docs', '/openapi.json', '/portal']);
    const met = await Promise.all(links.map(async (to) => (await fetch(`${baseUrl}${to}`)).status));
    expect(met).toEqual([200, 200, 401]);
    const head = await fetch(`${baseUrl}/`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(Buffer.byteLength(page)), '']);
    const posted = await vendor.api.post('/', {});
    expect([posted.status, posted.body.code, posted.headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
    expect(Object.keys((await vendor.api.read('/openapi.json')).paths)).not.toContain('/');
  });

  it.each([
    ['GET', '/inactivate', 'Use POST here, not GET.'],
    ['DELETE', '', 'Use GET or HEAD here, not DELETE.'],
  ])('with %s on a path that has other methods names them in the body', async (method, path, detail) => {
    const { baseUrl } = await servers();
    const response = await fetch(`${baseUrl}/v1/c/customer/Cust_01a1feba-4239-762c-b2b6-98182bda71ed${path}`, { method });
    expect([response.status, await response.json()]).toEqual([
      405,
      expect.objectContaining({ detail, feedback: { method: { type: 'error', value: detail } } }),
    ]);
  });

  it.each(['%zz', 'a%00b', '%ed%a0%80'])('with %s in path or query is a 4xx', async (text) => {
    expect([400, 404]).toContain((await vendor.api.get(`${customer}/${text}`)).status);
    expect((await vendor.api.get(`${customer}?search=${text}`)).status).toBe(400);
  });

  it.each([
    ['search=a%00b', 'search'],
    ['a%00b=1', 'query'],
    ['search=%zz', 'query'],
  ])('with the query %s names %s', async (query, field) => {
    const { status, body } = await vendor.api.get(`${customer}?${query}`);
    expect([status, body.code, Object.keys(body.feedback)]).toEqual([400, 'invalid_request', [field]]);
  });

  it('keeps decimals exact: 26 + 12 digits are accepted, one more is refused, exponents are written out', async () => {
    const amounts = ['12345678901234567890123456', '0.123456789012', '1e-7', '1.10', '100000000000000000000'];
    const body = (amount: string) =>
      `{"slug":"d${amount.replace(/\W/g, '_')}","internal_name":"d","strategy":"plan","pricings":[{"currency":"usd","cycle":"month",
        "price":{"amount":${amount},"strategy_details":{"pricing_strategy":"flat"}}}]}`;
    const shown = await Promise.all(
      amounts.map(
        async (amount) =>
          (await vendor.api.read(`/v1/c/plan/${await vendor.api.made('/v1/c/plan', body(amount))}`)).pricings[0].price.amount,
      ),
    );
    expect(shown).toEqual(['12345678901234567890123456.00', '0.123456789012', '0.0000001', '1.10', '100000000000000000000.00']);
    for (const amount of [
      '123456789012345678901234567',
      '0.1234567890123',
      '1e-13',
      '-1',
      '"1e5"',
      '" 1"',
      '""',
      'null',
      'true',
      '"NaN"',
    ]) {
      const response = await vendor.api.post('/v1/c/plan', body(amount));
      expect([amount, response.status, Object.keys(feedback(response))]).toEqual([amount, 400, ['pricings[0].price.amount']]);
    }
  });

  it('gets problem+json with type, instance and request id, never a stack', async () => {
    const { body, headers } = await vendor.api.post('/v1/c/plan', {});
    expect(body).toMatchObject({ type: '/docs#error-invalid_request', instance: '/v1/c/plan', request_id: headers.get('request-id') });
    expect(Object.keys(feedback({ status: 400, body, headers }))).toEqual(['slug', 'internal_name', 'strategy', 'pricings']);
    expect(JSON.stringify(body)).not.toMatch(/node_modules|at .*\.ts/);
  });
});
