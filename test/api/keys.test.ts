import { routes } from '../../api/routes.ts';
import { api } from '../support/api.ts';
import { servers } from '../support/servers.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, withScope } from './support.ts';

describe('API keys and sessions', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await checkedVendor();
  });

  it('are listed without their secret', async () => {
    await vendor.api.made('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const { hits } = await vendor.api.read('/v1/c/api_key');
    expect(hits.map(({ name, scope }: { name: string; scope: string }) => [name, scope])).toEqual([
      ['first key', 'full'],
      ['reader', 'read'],
    ]);
    expect(JSON.stringify(hits)).not.toContain('api_key_');
  });

  it('are rotated: both keys work during the overlap; without an overlap the old key ends at once', async () => {
    const first = await vendor.api.made<{ id: string; key: string }>('/v1/c/api_key', { name: 'r', scope: 'full' });
    const second = await vendor.api.made<{ id: string; key: string }>(`/v1/c/api_key/${first.id}/rotate`, { overlap_seconds: 3600 });
    for (const { key } of [first, second]) expect(await api(key).get('/v1/c/plan')).toMatchObject({ status: 200 });
    const third = await vendor.api.made<{ id: string; key: string }>(`/v1/c/api_key/${second.id}/rotate`, { overlap_seconds: 0 });
    expect(await api(second.key).get('/v1/c/plan')).toMatchObject({ status: 401 });
    expect(await api(third.key).get('/v1/c/plan')).toMatchObject({ status: 200 });
    const fourth = await vendor.api.made<{ id: string; key: string }>(`/v1/c/api_key/${third.id}/rotate`);
    for (const { key } of [third, fourth]) expect(await api(key).get('/v1/c/plan')).toMatchObject({ status: 200 });
  });

  it('are revoked at once, with their sessions', async () => {
    const { baseUrl } = await servers();
    const { id, key } = await vendor.api.made<{ id: string; key: string }>('/v1/c/api_key', { name: 'gone', scope: 'full' });
    const session = await api(null).post('/v1/c/session', { api_key: key });
    const cookie = { cookie: session.headers.get('set-cookie')?.split(';')[0] ?? '', origin: baseUrl };
    expect(await api(null).get('/v1/c/plan', cookie)).toMatchObject({ status: 200 });
    expect(await vendor.api.made(`/v1/c/api_key/${id}/revoke`)).toBe(id);
    expect(await api(key).get('/v1/c/plan')).toMatchObject({ status: 401 });
    expect(await api(null).get('/v1/c/plan', cookie)).toMatchObject({ status: 401 });
    expect(await vendor.api.made(`/v1/c/api_key/${id}/revoke`)).toBe(id);
    expect(await vendor.api.post(`/v1/c/api_key/${id}/rotate`)).toMatchObject({ status: 409, body: { code: 'api_key_revoked' } });
  });

  it('start cookie sessions with the scope of the key; writes need the same origin', async () => {
    const { baseUrl } = await servers();
    const started = await api(null).post('/v1/c/session', { api_key: vendor.apiKey });
    const header = started.headers.get('set-cookie') ?? '';
    expect(header).toMatch(/^wb_user=.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
    const cookie = header.split(';')[0] ?? '';
    const write = (headers: Record<string, string>) => api(null).post('/v1/c/customer', { name: 'by cookie' }, headers);
    expect(await write({ cookie, origin: baseUrl })).toMatchObject({ status: 200 });
    expect(await write({ cookie })).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
    expect(await write({ cookie, origin: 'https://evil.test' })).toMatchObject({ status: 403 });
    expect(await api(null).get('/v1/c/plan', { cookie })).toMatchObject({ status: 200 });
    const forged = cookie.replace(/\.(\d+)\./, (_, expires: string) => `.${Number(expires) + 1}.`);
    expect(await api(null).get('/v1/c/plan', { cookie: forged })).toMatchObject({ status: 401 });
    const ended = await api(null).post('/v1/c/session/end', undefined, { cookie });
    expect(ended.headers.get('set-cookie')).toMatch(/^wb_user=; .*Max-Age=0/);
    expect(await api(null).post('/v1/c/session', { api_key: 'api_key_nonsense_nonsense' })).toMatchObject({ status: 401 });
  });

  it('of scope read may call every GET but the list of keys, and of the POSTs the estimates, which write nothing', () => {
    const posts = routes.filter(({ method, scope }) => method !== 'get' && scope === 'read').map(({ path }) => path);
    const contract = '/v1/c/contract/{contract_id}';
    expect(posts.toSorted()).toEqual([`${contract}/cancel_estimate`, `${contract}/upgrade_estimate`, '/v1/c/contract_estimate']);
    expect(routes.filter(({ method, scope }) => method === 'get' && scope === 'full').map(({ path }) => path)).toEqual(['/v1/c/api_key']);
  });

  it('of scope read and usage may not manage keys', async () => {
    for (const scope of ['read', 'usage'] as const) {
      expect(await (await withScope(vendor, scope)).get('/v1/c/api_key')).toMatchObject({ status: 403 });
    }
  });
});
