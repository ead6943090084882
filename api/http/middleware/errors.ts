import type { Logger } from 'pino';
import { CallerGone, isLeftUnread } from '../body.ts';
import type { Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { problemOf } from '../failure.ts';
import { Problem } from '../problem.ts';
import { problemResponse, respond } from '../response.ts';
import { limitUnknownKey } from './strangers.ts';

/**
 * A status for the log and the metrics only, since the caller is gone: its abort must not look like a failure of ours.
 */
const GONE = 499;

/** Turns whatever is thrown into a problem of the closed list. */
export const answerErrors =
  ({ keylessLimit, log }: ApiDependencies): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { requestId } = ctx.state;
      if (error instanceof CallerGone) ctx.status = GONE;
      else respond(ctx, problemResponse(limitUnknownKey(expected(error, requestId, log), ctx, keylessLimit), ctx.path, requestId));
    } finally {
      // to take the next request of this connection would mean to read the rest of a long body first
      if (ctx.state.key === null && isLeftUnread(ctx.req)) ctx.set('connection', 'close');
    }
  };

/** An unexpected error is logged once, with everything, and answered without detail. */
function expected(error: unknown, requestId: string, log: Logger): Problem {
  const problem = problemOf(error);
  if (problem === null) log.error({ err: error, request_id: requestId }, 'unexpected failure');
  else if (problem.status >= 500) log.warn({ err: problem.cause ?? problem, request_id: requestId }, 'not available');
  return problem ?? new Problem('internal_error', 'Something went wrong on our side; the request_id helps us to find it.');
}
