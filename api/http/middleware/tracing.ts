import type { Tracing } from '../../../config/tracing.ts';
import { type Middleware, operationOf } from '../context.ts';
import { PAGES } from '../pages.ts';

/** One step for each request, under its operation's name; the caller's own trace goes on in it. Addresses stay out: portal links are secrets. */
export const traceRequest =
  (tracing: Tracing): Middleware =>
  (ctx, next) => {
    if (PAGES.has(ctx.path)) return next();
    return tracing.request(ctx.req.headers, async (step) => {
      await next();
      const { requestId, key } = ctx.state;
      step.rename(operationOf(ctx));
      step.addFacts({
        'http.request.method': ctx.method,
        'http.response.status_code': ctx.status,
        'perennial.request_id': requestId,
        ...(key !== null && { 'perennial.vendor': key.vendorId, 'perennial.key': key.id }),
      });
      if (ctx.status >= 500) step.fail();
    });
  };
