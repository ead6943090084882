import type Koa from 'koa';
import { RateLimit } from '../../../api/http/rate-limit.ts';

function context() {
  const headers: Record<string, string> = {};
  return { headers, set: (name: string, value: string) => (headers[name] = value) };
}

const take = (limit: RateLimit, key: string, now: number) => {
  const response = context();
  limit.take(key, response as unknown as Koa.Context, now);
  return response.headers;
};

describe('the rate limit of 2 a minute', () => {
  it('counts each key separately, reports what is left, and refuses the third with Retry-After', () => {
    const limit = new RateLimit(2);
    expect(take(limit, 'a', 0)).toEqual({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' });
    expect(take(limit, 'a', 10_000)).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': '50' });
    expect(take(limit, 'b', 10_000)).toMatchObject({ 'ratelimit-remaining': '1' });
    expect(() => take(limit, 'a', 30_000)).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfter: 30 }));
    expect(take(limit, 'a', 60_000)).toMatchObject({ 'ratelimit-remaining': '1' });
  });

  it('counts without a response too: what is left, below zero for one too many, and the seconds to wait', () => {
    const limit = new RateLimit(2);
    expect([limit.count('a', 0), limit.count('a', 1_000), limit.count('a', 30_000)]).toEqual([
      { left: 1, reset: 60 },
      { left: 0, reset: 59 },
      { left: -1, reset: 30 },
    ]);
    expect(limit.count('a', 60_000)).toEqual({ left: 1, reset: 60 });
  });
});
