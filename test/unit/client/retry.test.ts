import { pauseBefore } from '../../../client/src/retry.ts';
import { problem, ScriptedApi } from './vendor-api.ts';

const now = { 'retry-after': '0' };
const scripted = new ScriptedApi();

beforeAll(() => scripted.open());
afterAll(() => scripted.close());

describe('the pause before a repeat', () => {
  const NOW = Date.parse('2026-11-23T10:00:00Z');
  const pauseAfter = (status: number, retryAfter: string | null, tries = 1) => pauseBefore(tries, { status, retryAfter }, 1, NOW);

  it('doubles from a quarter of a second to eight, and is spread over its second half', () => {
    expect([1, 2, 3, 6, 20].map((tries) => pauseBefore(tries, null, 1))).toEqual([250, 500, 1000, 8000, 8000]);
    expect(pauseBefore(1, null, 0)).toBe(125);
  });

  it('is what Retry-After names, in seconds or as an instant', () => {
    expect(pauseAfter(429, '2')).toBe(2000);
    expect(pauseAfter(503, 'Mon, 23 Nov 2026 10:00:05 GMT')).toBe(5000);
    expect(pauseAfter(503, '0')).toBe(0);
  });

  it('is none where waiting changes nothing, or takes longer than a minute', () => {
    expect([400, 401, 402, 403, 404, 500].map((status) => pauseAfter(status, '1'))).toEqual([null, null, null, null, null, null]);
    expect(pauseAfter(409, null)).toBeNull();
    expect(pauseAfter(409, '1')).toBe(1000);
    expect(pauseAfter(503, '61')).toBeNull();
  });
});

describe('a call of the client', () => {
  it.each([
    ['429', problem(429, 'rate_limited', {}, now)],
    ['503', problem(503, 'unavailable', {}, now)],
    ['409 with Retry-After', problem(409, 'change_in_progress', {}, now)],
    ['a broken connection', 'broken' as const],
    ['a proxy’s 502', { status: 502 }],
  ])('repeats a write under its key after %s', async (_, first) => {
    scripted.answers(first, { status: 201, body: 'Cont_1' });
    const made = await scripted.client().signContract({ customer: 'Cust_1', plan: 'Plan_1', currency: 'usd', cycle: 'month' });
    expect(made).toBe('Cont_1');
    const [one, two] = scripted.seen;
    expect(two).toEqual(one);
    expect(one?.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has a key of its own for each write, or the given one', async () => {
    scripted.answers({ status: 200, body: 'a' }, { status: 200, body: 'b' }, { status: 200, body: 'c' });
    const client = scripted.client();
    await client.archivePlan('Plan_1');
    await client.archivePlan('Plan_1');
    await client.archivePlan('Plan_1', { idempotencyKey: 'order-7' });
    const [first, second, third] = scripted.seen.map(({ key }) => key);
    expect(first).not.toBe(second);
    expect(third).toBe('order-7');
  });

  it.each([
    ['a 400', problem(400, 'invalid_request', { cycle: 'is required' })],
    ['a 402', problem(402, 'payment_declined')],
    ['a 409 without Retry-After', problem(409, 'contract_exists')],
    ['a 500', problem(500, 'internal_error')],
  ])('is not repeated after %s', async (_, answer) => {
    scripted.answers(answer, { status: 200, body: 'Plan_1' });
    await expect(scripted.client().archivePlan('Plan_1')).rejects.toMatchObject({ requestId: 'its-id' });
    expect(scripted.seen).toHaveLength(1);
  });

  it('is never repeated where the API takes no key', async () => {
    scripted.answers('broken', { status: 200, body: {} });
    const start = scripted.client().startSession({ api_key: 'api_key_1' });
    await expect(start).rejects.toMatchObject({ code: 'connection_failed', idempotencyKey: null });
    expect(scripted.seen).toMatchObject([{ key: undefined }]);
  });

  it('fails with the last refusal when every try was refused', async () => {
    scripted.answers(...Array.from({ length: 3 }, () => problem(503, 'unavailable', {}, now)));
    await expect(scripted.client({ maxRetries: 2 }).getCustomer('Cust_1')).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    expect(scripted.seen).toHaveLength(3);
  });
});
