import type { Api } from '../support/api.ts';
import { checkedVendor, planBody } from './support.ts';

describe('the versions of a plan', () => {
  let api: Api;
  let plan: string;
  const versions = async (query = '') => api.read(`/v1/c/plan/${plan}/version${query}`);

  beforeAll(async () => {
    api = (await checkedVendor()).api;
    plan = await api.made('/v1/c/plan', planBody('versioned', '30'));
    await api.made('/v1/c/plan', { id: plan, pricings: planBody('versioned', '35').pricings });
    await api.made('/v1/c/plan', { id: plan, external_name: 'Grown', metadata: { b: '2', a: '1' } });
  });

  it('say newest first what the plan held, each to the instant at which the next one began', async () => {
    const { hits, total } = await versions();
    expect(total).toBe(3);
    expect(hits).toMatchObject([
      { version: 3, ended: null, external_name: 'Grown', pricings: [{ price: { amount: '35.00' } }] },
      { version: 2, ended: hits[0].began, external_name: 'versioned', pricings: [{ price: { amount: '35.00' } }] },
      { version: 1, ended: hits[1].began, external_name: 'versioned', pricings: [{ price: { amount: '30.00' } }] },
    ]);
    const { id, status, created, ...held } = await api.read(`/v1/c/plan/${plan}`);
    expect([id, status, created]).toEqual([plan, 'active', hits[2].began]);
    expect(hits[0]).toEqual({ ...held, version: 3, began: hits[0].began, ended: null });
  });

  it('are not made by an update that changes nothing, nor by archiving', async () => {
    await api.made('/v1/c/plan', { id: plan, external_name: 'Grown', metadata: { a: '1', b: '2' } });
    await api.made(`/v1/c/plan/${plan}/archive`);
    expect(await versions()).toMatchObject({ total: 3 });
  });

  it('come in pages, from the newest to the first', async () => {
    const numbers = ({ hits }: { hits: { version: number }[] }) => hits.map(({ version }) => version);
    const first = await versions('?limit=2');
    expect([numbers(first), first.total_pages]).toEqual([[3, 2], 2]);
    expect(numbers(await versions(`?limit=2&offset=${first.forward}`))).toEqual([1]);
    expect(numbers(await versions('?limit=2&direction=backward'))).toEqual([2, 1]);
  });

  it('of another vendor’s plan, or of none, are a 404', async () => {
    const stranger = (await checkedVendor()).api;
    expect(await stranger.get(`/v1/c/plan/${plan}/version`)).toMatchObject({ status: 404, body: { code: 'plan_not_found' } });
  });
});
