import type { Middleware } from '../context.ts';
import type { RateLimit } from '../rate-limit.ts';

/** Counts the requests of a key. Throws `rate_limited` for one too many. */
export function limitKey(limit: RateLimit | null): Middleware | null {
  if (limit === null) return null;
  return (ctx, next) => {
    if (ctx.state.key !== null) limit.take(ctx.state.key.id, ctx);
    return next();
  };
}
