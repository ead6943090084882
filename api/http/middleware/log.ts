import type { Logger } from 'pino';
import type { ObserveRequest } from '../../../metrics/requests.ts';
import { type Middleware, operationOf, routeOf } from '../context.ts';

/** One line in the log and one observation in the metrics for each request. */
export const logRequest =
  (log: Logger, observe?: ObserveRequest): Middleware =>
  async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const milliseconds = performance.now() - started;
      const { requestId, key } = ctx.state;
      const operation = operationOf(ctx);
      observe?.({ route: routeOf(ctx), method: ctx.method, status: ctx.status }, milliseconds);
      log.info(
        { request_id: requestId, operation, status: ctx.status, ms: Math.round(milliseconds), vendor: key?.vendorId, key: key?.id },
        'request',
      );
    }
  };
