import type { Lease } from '../../../db/sql/idempotency/request.ts';
import type { Context, Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { problemOf } from '../failure.ts';
import { type IdempotencyRef, isFinal, leaseOrRepeat, releaseOrLapse, storeRefusal } from '../idempotency.ts';
import { problemResponse, respond } from '../response.ts';
import { type Route, takesIdempotencyKey } from '../route.ts';

/**
 * Lets a request with an Idempotency-Key run once and repeats its response afterwards. It comes after validation: a
 * request that is refused for its shape has begun nothing and leases no key, so the corrected body goes through under
 * the same key.
 */
export function idempotency(route: Route, deps: ApiDependencies): Middleware | null {
  if (!takesIdempotencyKey(route) || route.ownIdempotency === true) return null;
  return async (ctx, next) => {
    const reference = await ownedReference(route, ctx, deps);
    if (reference === null) {
      await next();
      return;
    }
    const found = await leaseOrRepeat(deps.db, reference);
    if ('repeat' in found) {
      respond(ctx, found.repeat);
      return;
    }
    ctx.state.lease = found.lease;
    try {
      await next();
    } catch (error) {
      await storeOrRelease(error, found.lease, ctx, deps);
      throw error;
    }
  };
}

/** The reference under the vendor whose request it is; a request without a key is that of the route's owner. */
async function ownedReference({ idempotencyOwner }: Route, ctx: Context, deps: ApiDependencies): Promise<IdempotencyRef | null> {
  const { idempotency: reference, input } = ctx.state;
  if (reference === null || idempotencyOwner === undefined) return reference;
  const vendorId = await idempotencyOwner(input.params, deps);
  return vendorId === null ? null : { ...reference, vendorId };
}

/** Stores a refusal that will not change; of anything else nothing is left, so that a repeat may run. */
async function storeOrRelease(error: unknown, lease: Lease, ctx: Context, { db, log }: ApiDependencies): Promise<void> {
  const problem = problemOf(error);
  if (problem !== null && isFinal(problem)) {
    const response = problemResponse(problem, ctx.path, ctx.state.requestId);
    // the refusal stands though it can't be stored: a repeat comes to it again
    await storeRefusal(db, lease, response).catch((lost: unknown) => log.warn({ err: lost }, 'a refusal could not be stored'));
    return;
  }
  await releaseOrLapse(lease, { db, log });
}
