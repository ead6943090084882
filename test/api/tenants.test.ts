import { exampleTopUpRequest } from '../../api/example/top-up.ts';
import { exampleAlertRequest } from '../../api/example/usage-alert.ts';
import { exampleCheckRequest } from '../../api/example/usage-check.ts';
import { exampleLimitRequest } from '../../api/example/usage-limit.ts';
import { routes } from '../../api/routes.ts';
import type { Api } from '../support/api.ts';
import { api } from '../support/api.ts';
import { checkedVendor, expectConforming, planBody, signedContract, withScope } from './support.ts';

const UUID = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';

/** Ids of one vendor for every path parameter. */
async function ownIds(calls: Api): Promise<Record<string, string>> {
  const { planId, customerId, contractId } = await signedContract({ api: calls } as never);
  const event = await calls.made('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '1' });
  const discount = await calls.made('/v1/c/discount', { slug: 's', name: 's', discount_type: 'percentage', amount: '10', duration: 3 });
  const clock = await calls.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
  const key = await calls.made<{ id: string }>('/v1/c/api_key', { name: 'k', scope: 'read' });
  const session = await calls.made<{ token: string }>(`/v1/c/customer/${customerId}/payment/session`, { provider: 'sandbox' });
  const other = await calls.made<{ token: string }>(`/v1/c/customer/${customerId}/payment/session`, { provider: 'sandbox' });
  await calls.made(`/v1/c/payment/session/${other.token}/confirm`, { payment_method: 'sandbox_ok' });
  const [method] = await calls.read<{ id: string }[]>(`/v1/c/customer/${customerId}/payment/method`);
  const move = await calls.made<string>(`/v1/c/plan/${planId}/move`, { when: 'next_cycle' });
  const endpoint = await calls.made<{ id: string }>('/v1/c/webhook_endpoint', {
    url: 'http://127.0.0.1:9/hook',
    types: ['v1.webhook_endpoint.paused'],
  });
  const given = { customer: customerId, currency: 'usd', amount: '5', kind: 'promotional' };
  const grant = await calls.made<string>('/v1/c/credit_grant', given);
  const invoices = await calls.read(`/v1/c/invoice?contract=${contractId}`);
  return {
    plan_id: planId,
    move_id: move,
    import_id: await calls.made<string>('/v1/c/import', {}),
    endpoint_id: endpoint.id,
    customer_id: customerId,
    contract_id: contractId,
    event_id: event,
    reservation_id: (await calls.made<{ reservation: string }>(`/v1/c/entitlement/${customerId}/check`, exampleCheckRequest)).reservation,
    alert_id: await calls.made<string>(`/v1/c/customer/${customerId}/alert`, exampleAlertRequest),
    limit_id: await calls.made<string>(`/v1/c/customer/${customerId}/limit`, exampleLimitRequest),
    top_up_id: await calls.made<string>(`/v1/c/customer/${customerId}/top_up`, exampleTopUpRequest),
    discount_id: discount,
    test_clock_id: clock,
    api_key_id: key.id,
    invoice_id: invoices.hits[0].invoice.id,
    method_id: method?.id ?? '',
    payment_method_id: method?.id ?? '',
    token: session.token,
    idx: '1',
    grant_id: grant,
  };
}

const withParameters = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`the test has no ${name} for ${path}`);
    return id;
  });

const protectedRoutes = routes.filter(({ scope }) => scope !== null);
const call = (calls: Api, method: string, path: string, body: unknown) => (method === 'get' ? calls.get(path) : calls.post(path, body));

/** A copy of an example's body; its ids are valid but unknown. */
const exampleOf = (body: unknown): unknown => JSON.parse(JSON.stringify(body ?? {}));

describe('every operation of the document', () => {
  const ids: Record<string, string> = { credit_note_id: `CNote_${UUID}` };
  let otherVendor: Api;
  let reader: Api;

  beforeAll(async () => {
    Object.assign(ids, await ownIds((await checkedVendor()).api));
    const other = await checkedVendor();
    otherVendor = other.api;
    reader = await withScope(other, 'read');
  });

  const withIds = protectedRoutes.filter(({ path }) => path.includes('{'));
  it.each(withIds.map((route) => [`${route.method} ${route.path}`, route] as const))('%s is a 404 for another vendor', async (_, route) => {
    const path = withParameters(route.path, ids);
    const response = await call(otherVendor, route.method, path, exampleOf(route.example.body));
    expect([response.status, response.body?.code]).toEqual([404, expect.stringMatching(/_not_found$/)]);
  });

  it.each(protectedRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is a 401 without a key',
    async (_, route) => {
      const path = withParameters(route.path, ids);
      for (const key of [null, 'nonsense', `api_key_${'x'.repeat(43)}`]) {
        const response = await call(api(key), route.method, path, route.example.body ?? {});
        expectConforming(route.method.toUpperCase(), path, response);
        expect(response).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
      }
    },
  );

  const posted = protectedRoutes.filter(({ method }) => method !== 'get');
  const writes = posted.filter(({ scope }) => scope !== 'read');

  it('with a POST that a key of scope read may call is an estimate', () => {
    expect(posted.filter((route) => !writes.includes(route)).map(({ path }) => path)).toEqual([
      '/v1/c/contract_estimate',
      '/v1/c/contract/{contract_id}/upgrade_estimate',
      '/v1/c/contract/{contract_id}/cancel_estimate',
    ]);
  });

  it.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is a 403 for a key of scope read',
    async (_, route) => {
      const response = await call(reader, route.method, withParameters(route.path, ids), route.example.body ?? {});
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    },
  );

  it('that reads is allowed for a key of scope read', async () => {
    for (const path of ['/v1/c/plan', '/v1/c/contract', '/v1/c/invoice', '/v1/c/usage', '/v1/c/event', '/v1/c/preferences/tax']) {
      expect(await reader.get(path)).toMatchObject({ status: 200 });
    }
  });

  it('refuses bodies with ids of another vendor', async () => {
    const { customer_id: customer, plan_id: plan } = ids;
    const mine = await otherVendor.made('/v1/c/plan', planBody('mine'));
    const own = await otherVendor.made('/v1/c/customer', { name: 'own' });
    const responses = [
      await otherVendor.post('/v1/c/contract', { customer, plan: mine, currency: 'usd', cycle: 'month' }),
      await otherVendor.post('/v1/c/contract', { customer: own, plan, currency: 'usd', cycle: 'month' }),
      await otherVendor.post('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '1' }),
      await otherVendor.post('/v1/c/customer', { name: 'x', test_clock: ids.test_clock_id }),
      await otherVendor.post('/v1/c/customer/authenticate', { id: customer }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await otherVendor.read(`/v1/c/customer?id=${customer}`)).hits).toEqual([]);
    expect((await otherVendor.read(`/v1/c/invoice?customer=${customer}`)).hits).toEqual([]);
    expect((await otherVendor.read(`/v1/c/usage?customer=${customer}`)).hits).toEqual([]);
    expect((await otherVendor.read(`/v1/c/event?object=${customer}`)).hits).toEqual([]);
  });
});
