import { ScriptedApi } from './vendor-api.ts';

const scripted = new ScriptedApi();
const clock = (status: string, more = {}) => ({
  status: 200,
  body: { id: 'Clock_1', name: null, now: '2026-01-31T00:00:00.000Z', status, reason: null, next_due: null, ...more },
});

beforeAll(() => scripted.open());
afterAll(() => scripted.close());

describe('advancing a test clock', () => {
  it('waits until the clock is ready', async () => {
    scripted.answers(clock('advancing'), clock('advancing'), clock('ready', { now: '2026-02-28T00:00:00.000Z' }));
    const ready = await scripted.client().advanceTo('Clock_1', new Date('2026-02-28'));
    expect(ready.now).toBe('2026-02-28T00:00:00.000Z');
    expect(scripted.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/c/test_clock/Clock_1/advance',
      'GET /v1/c/test_clock/Clock_1',
      'GET /v1/c/test_clock/Clock_1',
    ]);
    expect(scripted.seen[0]?.body).toBe('{"now":"2026-02-28T00:00:00.000Z"}');
  });

  it('fails with the clock’s own reason', async () => {
    scripted.answers(clock('advancing'), clock('failed', { reason: 'Cont_1 is parked' }));
    await expect(scripted.client().advanceTo('Clock_1', '2026-02-28T00:00:00Z')).rejects.toMatchObject({
      code: 'test_clock_failed',
      message: 'Clock_1 stopped at 2026-01-31T00:00:00.000Z: Cont_1 is parked',
    });
  });

  it('fails where another call stops the clock on its way', async () => {
    scripted.answers(clock('advancing'), clock('ready', { now: '2026-02-14T00:00:00.000Z' }));
    await expect(scripted.client().advanceTo('Clock_1', '2026-02-28T00:00:00Z')).rejects.toMatchObject({
      code: 'test_clock_failed',
      message: 'Clock_1 was stopped at 2026-02-14T00:00:00.000Z by another call',
    });
  });

  it('fails where the clock is not ready in time, and ends by the caller’s signal', async () => {
    scripted.answers(clock('advancing'), clock('advancing'));
    await expect(scripted.client().advanceTo('Clock_1', '2026-02-28T00:00:00Z', { readyWithinMs: -1 })).rejects.toMatchObject({
      code: 'test_clock_failed',
    });
    scripted.answers(clock('advancing'), 'never');
    const stop = new AbortController();
    const advancing = scripted.client().advanceTo('Clock_1', '2026-02-28T00:00:00Z', { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(advancing).rejects.toThrow('stopped');
  });
});
