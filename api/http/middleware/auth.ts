import { sessionFrom } from '../authenticate.ts';
import type { Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { problemOf } from '../failure.ts';
import { single } from '../header.ts';
import { Problem } from '../problem.ts';
import { removeLimitHeaders } from '../rate-limit.ts';
import type { Route, Scope } from '../route.ts';
import { limitUnlessKeyIsLive } from './keyless.ts';

/** Finds the caller's key. Throws `unauthorized`, or `origin_refused` for a write by cookie from elsewhere. */
export function authenticate(route: Route, { authenticator, keylessLimit }: ApiDependencies): Middleware {
  if (route.scope === null) return limitUnlessKeyIsLive(authenticator, keylessLimit);
  const fixed = { writes: route.method !== 'get', remembered: route.ownKeyCheck === true };
  return async (ctx, next) => {
    const { headers } = ctx.req;
    const key = single(headers['wb-key']);
    ctx.state.key = await authenticator.authenticate({
      ...{ key, cookie: sessionFrom(headers.cookie), origin: headers.origin, host: () => ctx.host },
      ...fixed,
    });
    await next();
  };
}

/**
 * For routes whose own statement checks the key (`ownKeyCheck`): when such a request is refused, the key may have ended
 * meanwhile. Then the caller gets `unauthorized` and nothing else.
 */
export function recheckKey(route: Route, { authenticator }: ApiDependencies): Middleware | null {
  if (route.ownKeyCheck !== true) return null;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { key } = ctx.state;
      if (key === null || !isRefusal(error) || (await authenticator.isLive(key))) throw error;
      removeLimitHeaders(ctx);
      throw new Problem('unauthorized');
    }
  };
}

function isRefusal(error: unknown): boolean {
  const problem = problemOf(error);
  return problem !== null && problem.status < 500;
}

/** What each scope of a key reaches. */
const reach: Readonly<Record<Scope, readonly Scope[]>> = {
  full: ['full', 'read', 'usage'],
  read: ['read'],
  usage: ['usage'],
};

/** Throws `forbidden` when the key's scope doesn't reach the route. */
export function requireScope({ scope: needed }: Route): Middleware | null {
  if (needed === null) return null;
  return (ctx, next) => {
    const scope = ctx.state.key?.scope;
    if (scope === undefined || !reach[scope].includes(needed)) {
      throw new Problem('forbidden', `A key of scope ${scope} may not do this; it needs ${needed}.`);
    }
    return next();
  };
}
