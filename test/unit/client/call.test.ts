import { inspect } from 'node:util';
import { Perennial, PerennialError } from '../../../client/src/index.ts';
import { problem, ScriptedApi } from './vendor-api.ts';

const scripted = new ScriptedApi();

beforeAll(() => scripted.open());
afterAll(() => scripted.close());

describe('a refusal', () => {
  it('is an error with code, field, status and request id', async () => {
    scripted.answers(problem(400, 'invalid_request', { 'pricings[0].currency': 'is required', slug: 'is too long' }));
    const error = await failureOf(scripted.client().savePlan({} as never, { idempotencyKey: 'plan-1' }));
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      field: 'pricings[0].currency',
      fields: { 'pricings[0].currency': 'is required', slug: 'is too long' },
      requestId: 'its-id',
      idempotencyKey: 'plan-1',
    });
    expect(error.message).toBe(
      'POST /v1/c/plan answered 400 invalid_request: What was wrong.\n  pricings[0].currency: is required\n  slug: is too long',
    );
  });

  it('that is no answer of the API says so', async () => {
    scripted.answers({ status: 404, body: '<html>' });
    const error = await failureOf(scripted.client().getPlan('Plan_1'));
    expect(error).toMatchObject({ code: 'unreadable_answer', status: 404, field: null, requestId: 'header-id' });
  });

  it('comes too where a proxy would lead the key elsewhere', async () => {
    scripted.answers({ status: 307, headers: { location: 'http://127.0.0.1:9/' } });
    expect(await failureOf(scripted.client().getPlan('Plan_1'))).toMatchObject({ code: 'unreadable_answer', status: 307 });
  });
});

describe('a call without an answer', () => {
  it('ends after its time with the key to repeat it under', async () => {
    scripted.answers('never');
    const call = scripted.client({ timeoutMs: 50, maxRetries: 0 }).archivePlan('Plan_1', { idempotencyKey: 'mine' });
    expect(await failureOf(call)).toMatchObject({ code: 'timed_out', status: null, idempotencyKey: 'mine' });
  });

  it('ends at once with the reason of the caller’s signal, also between two tries', async () => {
    const stop = new AbortController();
    scripted.answers('never');
    const waiting = scripted.client().getPlan('Plan_1', { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');

    const pausing = new AbortController();
    const client = scripted.client({
      fetch: async () => {
        queueMicrotask(() => pausing.abort(new Error('enough of pauses')));
        return new Response('', { status: 503, headers: { 'retry-after': '50' } });
      },
    });
    await expect(client.getPlan('Plan_1', { signal: pausing.signal })).rejects.toThrow('enough of pauses');
  });
});

describe('a client', () => {
  it('escapes ids, and refuses an empty one before anything is sent', async () => {
    scripted.answers({ status: 200, body: {} });
    await scripted.client().getPlan('a/b?c');
    expect(scripted.seen).toMatchObject([{ method: 'GET', url: '/v1/c/plan/a%2Fb%3Fc', key: undefined }]);
    expect(() => scripted.client().getPlan('')).toThrow('An id is missing.');
    expect(() => scripted.client().getPlan(undefined as never)).toThrow('An id is missing.');
  });

  it('writes queries of reads and writes, maps included, and no body where there is none', async () => {
    scripted.answers({ status: 200, body: { hits: [] } }, { status: 200, body: {} }, { status: 200 });
    const client = scripted.client();
    await client.searchCustomers({ metadata: { team: 'a b' }, limit: 5 });
    await client.startPlanMove('Plan_1', { when: 'now' }, { query: { dry_run: 'true' } });
    expect(await client.activateCustomer('Cust_1')).toBeUndefined();
    expect(scripted.seen.map(({ url, body }) => [url, body])).toEqual([
      ['/v1/c/customer?metadata%5Bteam%5D=a+b&limit=5', ''],
      ['/v1/c/plan/Plan_1/move?dry_run=true', '{"when":"now"}'],
      ['/v1/c/customer/Cust_1/activate', ''],
    ]);
  });

  it('shows its key nowhere, and needs one', () => {
    const client = scripted.client();
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('api_key_of_a_test');
    expect(() => new Perennial({ baseUrl: 'http://localhost', apiKey: '' })).toThrow('The API key is empty.');
  });
});

async function failureOf(call: PromiseLike<unknown>): Promise<PerennialError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PerennialError);
  return error as PerennialError;
}
