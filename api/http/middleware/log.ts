import type { Logger } from 'pino';
import { type Middleware, operationOf } from '../context.ts';
import type { Metrics } from '../metrics.ts';

/** One line in the log and one observation in the metrics for each request. */
export const logRequest =
  (log: Logger, metrics: Metrics): Middleware =>
  async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const milliseconds = performance.now() - started;
      const { requestId, key } = ctx.state;
      const operation = operationOf(ctx);
      metrics.observe(operation, ctx.status, milliseconds);
      log.info(
        { request_id: requestId, operation, status: ctx.status, ms: Math.round(milliseconds), vendor: key?.vendorId, key: key?.id },
        'request',
      );
    }
  };
