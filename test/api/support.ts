import type { z } from 'zod';
import { ProblemSchema } from '../../api/http/problem-schema.ts';
import type { Route } from '../../api/http/route.ts';
import { routes } from '../../api/routes.ts';
import { type AnyJson, type Api, api, type TestResponse } from '../support/api.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const parametersOf = (path: string): number => path.split('{').length - 1;

/** Fixed paths first. */
const patterns = routes
  .toSorted((a, b) => parametersOf(a.path) - parametersOf(b.path))
  .map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/** The route of a call; null when there is none. */
function routeOf(method: string, path: string): Route | null {
  const bare = path.split('?')[0] ?? '';
  const nearest = patterns.find(({ pattern }) => pattern.test(bare))?.route.path;
  return routes.find((route) => route.path === nearest && route.method === method.toLowerCase()) ?? null;
}

/**
 * Fails unless an answer is what the document says of its operation: a status it names,
 * and a body of that status' schema.
 */
export function expectConforming(method: string, path: string, { status, body, headers }: TestResponse): void {
  expect(headers.get('request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const route = routeOf(method, path);
  if (status >= 400) {
    expect(headers.get('content-type')).toContain('application/problem+json');
    expectShape(ProblemSchema, body, `${method} ${path} ${status}`);
    expect(body.status).toBe(status);
    return;
  }
  if (route === null) return;
  expect(Object.keys(route.response)).toContain(String(status));
  const schema = route.response[status];
  if (schema == null) expect(body).toBeNull();
  else expectShape(schema, body, `${method} ${path} ${status}`);
}

function expectShape(schema: z.ZodType, body: unknown, what: string): void {
  const result = schema.safeParse(body);
  if (!result.success)
    throw new Error(`${what} breaks its schema: ${JSON.stringify(result.error.issues)} in ${JSON.stringify(body).slice(0, 2000)}`);
}

/** The same calls; each response is checked against the document. */
export function checked(calls: Api): Api {
  const conforming = async (method: string, path: string, response: Promise<TestResponse>): Promise<TestResponse> => {
    const given = await response;
    expectConforming(method, path, given);
    return given;
  };
  const requireSuccess = ({ status, body }: TestResponse, what: string): AnyJson => {
    if (status >= 300) throw new Error(`${what} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const post: Api['post'] = (path, body, headers) => conforming('POST', path, calls.post(path, body, headers));
  const get: Api['get'] = (path, headers) => conforming('GET', path, calls.get(path, headers));
  return {
    get,
    post,
    delete: (path, headers) => conforming('DELETE', path, calls.delete(path, headers)),
    made: async (path, body, headers) => requireSuccess(await post(path, body, headers), `POST ${path}`),
    read: async (path) => requireSuccess(await get(path), `GET ${path}`),
  };
}

/** A vendor whose responses are all checked against the document. */
export async function checkedVendor(): Promise<TestVendor> {
  const vendor = await newVendor();
  return { ...vendor, api: checked(vendor.api) };
}

/** A caller with another key of the same vendor. */
export async function withScope(vendor: TestVendor, scope: 'full' | 'read' | 'usage'): Promise<Api> {
  const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: scope, scope });
  return checked(api(key));
}

/** The validation errors of a response, by field. */
export const feedback = (response: TestResponse): Record<string, string> =>
  Object.fromEntries(Object.entries(response.body.feedback as AnyJson).map(([field, { value }]: [string, AnyJson]) => [field, value]));

export const flatPrice = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });
export const perUnitPrice = (amount: string, units: string) => ({
  amount,
  strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: units, maximum_units: '50' },
});
export const meteredPrice = (amount: string) => ({
  amount,
  strategy_details: { pricing_strategy: 'usage', unit_name: 'call', batch_size: 100 },
});

/** A plan for 29 a month with seats at 10, calls in packs of 100, a feature without a price and an on-demand report. */
export const planBody = (slug: string, amount = '29', more: Record<string, unknown> = {}): AnyJson => ({
  slug,
  internal_name: `${slug} 2026`,
  external_name: slug,
  strategy: 'plan',
  features: [
    { slug: 'seats', name: 'Seats' },
    { slug: 'calls', name: 'Calls' },
    { slug: 'sso', name: 'Single sign-on' },
    { slug: 'report', name: 'Report', charge_trigger: 'on_demand' },
  ],
  pricings: [
    {
      currency: 'usd',
      cycle: 'month',
      price: flatPrice(amount),
      features: { seats: perUnitPrice('10', '5'), calls: meteredPrice('0.0295'), report: flatPrice('7') },
    },
  ],
  ...more,
});

export interface SignedContract {
  planId: string;
  customerId: string;
  contractId: string;
}

/** A customer with a contract for 29 + 5 × 10 a month. */
export async function signedContract({ api: calls }: TestVendor, customer: Record<string, unknown> = {}): Promise<SignedContract> {
  const planId = await calls.made('/v1/c/plan', planBody(`plan-${Math.random().toString(36).slice(2)}`));
  const customerId = await calls.made('/v1/c/customer', { name: 'Acme', ...customer });
  const contractId = await calls.made('/v1/c/contract', { customer: customerId, plan: planId, currency: 'usd', cycle: 'month' });
  return { planId, customerId, contractId };
}
