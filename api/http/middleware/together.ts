import type { Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { respond, responseOf } from '../response.ts';
import type { Route } from '../route.ts';
import { requestOf } from './handler.ts';

/**
 * Makes the effect of a request in one transaction with those of others, its response stored with it, so that it needs
 * no lease. Where that makes nothing, because its Idempotency-Key was used before or something is in its way, the
 * request goes the way of any other, which says why.
 */
export function makeTogether(route: Route, deps: ApiDependencies): Middleware | null {
  const { together } = route;
  if (together === undefined) return null;
  return async (ctx, next) => {
    const effect = together(requestOf(route, ctx, deps), deps);
    if (effect !== null) {
      const response = responseOf(route, effect.outcome);
      const { idempotency: ref } = ctx.state;
      if (await effect.make(ref === null ? null : { ref, response })) return respond(ctx, response);
    }
    await next();
  };
}
