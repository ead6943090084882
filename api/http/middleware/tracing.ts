import type { Tracing } from '../../../config/tracing.ts';
import { type Middleware, operationOf } from '../context.ts';
import { PAGES } from '../pages.ts';

/** One span for each request, in the trace of the caller; it has no URL, since portal links are secrets. */
export const traceRequest =
  (tracing: Tracing): Middleware =>
  (ctx, next) => {
    if (PAGES.has(ctx.path)) return next();
    return tracing.request(ctx.req.headers, async (span) => {
      await next();
      const { requestId, key } = ctx.state;
      span.rename(operationOf(ctx));
      span.addAttributes({
        'http.request.method': ctx.method,
        'http.response.status_code': ctx.status,
        'perennial.request_id': requestId,
        ...(key !== null && { 'perennial.vendor': key.vendorId, 'perennial.key': key.id }),
      });
      if (ctx.status >= 500) span.fail();
    });
  };
