import type { Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { queueOf } from '../queue.ts';
import { respond, responseOf } from '../response.ts';
import type { Route } from '../route.ts';
import { requestOf } from './handler.ts';

/**
 * Makes the effect of a request in one transaction with those of others; its response is stored with it, so it needs no
 * lease. If nothing is made, because its Idempotency-Key was used before or something is in its way, the request goes
 * on like any other, which tells why. A request that has to queue behind others about the same contract goes on like
 * that too; requests that come while it is made queue behind it.
 */
export function makeTogether(route: Route, deps: ApiDependencies): Middleware | null {
  const { together } = route;
  if (together === undefined) return null;
  return async (ctx, next) => {
    const request = requestOf(route, ctx, deps);
    const effect = together(request, deps);
    const queue = route.queue?.(request.params);
    const place = queue === undefined ? null : queueOf(request.vendor, queue);
    // one that has to queue does so once, on its own way
    if (effect !== null && (place === null || deps.queues.isFree(place))) {
      const response = responseOf(route, effect.outcome);
      const { idempotency: ref } = ctx.state;
      const make = () => effect.make(ref === null ? null : { ref, response });
      if (await (place === null ? make() : deps.queues.run(place, make))) return respond(ctx, response);
    }
    await next();
  };
}
