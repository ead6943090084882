import { z } from 'zod';
import { routes } from '../../api/routes.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { checkedVendor } from './support.ts';

const names = (page: AnyJson): string[] => page.hits.map(({ name }: { name: string }) => name);

describe('lists', () => {
  let api: Api;
  const path = '/v1/c/customer?';
  beforeAll(async () => {
    api = (await checkedVendor()).api;
    for (let n = 1; n <= 7; n += 1) await api.made('/v1/c/customer', { name: `c${n}` });
  });
  const page = (query: string): Promise<AnyJson> => api.read(path + query);

  it('are read forward in pages of three: 1–3, 4–6, 7', async () => {
    const first = await page('limit=3');
    expect([names(first), first.current_page, first.total, first.total_pages, first.backward]).toEqual([['c1', 'c2', 'c3'], 1, 7, 3, null]);
    const second = await page(`limit=3&offset=${first.forward}`);
    expect([names(second), second.current_page]).toEqual([['c4', 'c5', 'c6'], 2]);
    const third = await page(`limit=3&offset=${second.forward}`);
    expect([names(third), third.current_page, third.forward]).toEqual([['c7'], 3, null]);
    expect(names(await page(`limit=3&offset=${third.backward}`))).toEqual(['c4', 'c5', 'c6']);
    expect(names(await page(`limit=3&offset=${third.first}`))).toEqual(['c1', 'c2', 'c3']);
    expect(names(await page(`limit=3&offset=${first.last}`))).toEqual(['c7']);
  });

  it('are read backward from the end with ascending hits: 5–7, 2–4, 1', async () => {
    const last = await page('limit=3&direction=backward');
    expect([names(last), last.current_page, last.forward]).toEqual([['c5', 'c6', 'c7'], 3, null]);
    const middle = await page(`limit=3&direction=backward&offset=${last.backward}`);
    expect([names(middle), middle.current_page]).toEqual([['c2', 'c3', 'c4'], 2]);
    const first = await page(`limit=3&direction=backward&offset=${middle.backward}`);
    expect([names(first), first.current_page, first.backward]).toEqual([['c1'], 1, null]);
  });

  it('of ten customers with 900 KB of metadata each have at most 5 MB a page, and lead to all of them in both directions', async () => {
    const { api: own } = await checkedVendor();
    const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, 'x'.repeat(9_000)]));
    const all = Array.from({ length: 10 }, (_, n) => `long${n}`);
    for (const name of all) await own.made('/v1/c/customer', { name, metadata });
    for (const direction of ['forward', 'backward'] as const) {
      const pages: string[][] = [];
      for (let at = `limit=10&direction=${direction}`; at !== ''; ) {
        const { total, hits, ...cursors } = await own.read(path + at);
        expect([total, hits.length <= 5]).toEqual([10, true]);
        pages.push(names({ hits }));
        at = cursors[direction] === null ? '' : `limit=10&offset=${cursors[direction]}`;
      }
      expect((direction === 'forward' ? pages : pages.toReversed()).flat()).toEqual(all);
    }
  });

  it('return the total without hits at limit 0', async () => {
    expect(await page('limit=0')).toMatchObject({ hits: [], total: 7, forward: null, backward: null });
  });

  it('have cursors that stay valid while rows are added', async () => {
    const vendor = await checkedVendor();
    for (let n = 1; n <= 4; n += 1) await vendor.api.made('/v1/c/customer', { name: `d${n}` });
    const first = await vendor.api.read(`${path}limit=2`);
    await vendor.api.made('/v1/c/customer', { name: 'd5' });
    const second = await vendor.api.read(`${path}limit=2&offset=${first.forward}`);
    expect([names(second), second.total]).toEqual([['d3', 'd4'], 5]);
    expect(names(await vendor.api.read(`${path}limit=2&offset=${second.forward}`))).toEqual(['d5']);
  });

  it('refuse cursors that are broken, of another list or of another vendor', async () => {
    const { forward } = await page('limit=3');
    const other = (await checkedVendor()).api;
    for (const response of [
      await api.get(`${path}offset=nonsense`),
      await api.get(`${path}offset=${forward.slice(0, -2)}xx`),
      await api.get(`/v1/c/plan?offset=${forward}`),
      await other.get(`${path}offset=${forward}`),
    ]) {
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    }
  });

  it('have pages; only the payment methods of a customer and the history of a usage event are plain arrays', () => {
    const plain = routes.filter(({ method, response }) => method === 'get' && response[200] instanceof z.ZodArray);
    expect(plain.map(({ operationId }) => operationId)).toEqual(['list_payment_methods', 'get_usage_history']);
  });

  it('of one object have pages too: the history of a customer, one by one', async () => {
    const id = await api.made('/v1/c/customer', { name: 'h' });
    await api.made(`/v1/c/customer/${id}/activate`, { notes: 'first' });
    await api.made(`/v1/c/customer/${id}/inactivate`, { notes: 'second' });
    const first = await api.read(`/v1/c/customer/${id}/history?limit=1`);
    const second = await api.read(`/v1/c/customer/${id}/history?limit=1&offset=${first.forward}`);
    expect([first, second].map(({ hits, total }: AnyJson) => [hits[0].notes, total])).toEqual([
      ['first', 2],
      ['second', 2],
    ]);
    expect(first.hits[0]).toMatchObject({ action: 'activated', api_key_id: expect.stringMatching(/^Key_/) });
    const other = await api.made('/v1/c/customer', { name: 'o' });
    expect(await api.get(`/v1/c/customer/${other}/history?offset=${first.forward}`)).toMatchObject({ body: { code: 'invalid_cursor' } });
  });
});
