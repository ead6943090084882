import type Koa from 'koa';
import type { Tracing } from '../../config/tracing.ts';
import type { KeyRecord } from '../../db/vendor-account/api-key.ts';

/** One step for each request, under its operation's name; the caller's own trace goes on in it. Addresses stay out: portal links are secrets. */
export const traceRequests =
  (tracing: Tracing, isUntraced: (path: string) => boolean): Koa.Middleware =>
  (context, next) => {
    if (isUntraced(context.path)) return next();
    return tracing.request(context.req.headers, async (step) => {
      await next();
      const { operation, key } = context.state as { operation?: string; key?: KeyRecord };
      step.rename(operation ?? 'unknown');
      step.addFacts({
        'http.request.method': context.method,
        'http.response.status_code': context.status,
        'perennial.request_id': context.response.get('request-id'),
        ...(key !== undefined && { 'perennial.vendor': key.vendorId, 'perennial.key': key.id }),
      });
      if (context.status >= 500) step.fail();
    });
  };
