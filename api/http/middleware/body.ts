import { BODY_LIMITS, readBody } from '../body.ts';
import type { Middleware } from '../context.ts';
import type { Route } from '../route.ts';

/** Reads the body as it was sent: signatures and Idempotency-Keys are about its bytes. */
export function readBytes({ method }: Route): Middleware | null {
  if (method === 'get') return null;
  return async (ctx, next) => {
    ctx.state.bytes = await readBody(ctx.req, ctx.state.key === null ? BODY_LIMITS.withoutKey : BODY_LIMITS.withKey);
    await next();
  };
}
