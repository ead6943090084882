import { CallerGone, isLeftUnread } from '../body.ts';
import type { Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { expectedOrLogged } from '../failure.ts';
import { problemResponse, respond } from '../response.ts';
import { limitUnknownKey } from './keyless.ts';

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
      else respond(ctx, problemResponse(limitUnknownKey(expectedOrLogged(error, requestId, log), ctx, keylessLimit), ctx.path, requestId));
    } finally {
      // to take the next request of this connection would mean to read the rest of a long body first
      if (ctx.state.key === null && isLeftUnread(ctx.req)) ctx.set('connection', 'close');
    }
  };
