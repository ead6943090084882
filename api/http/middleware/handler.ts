import type { Lease, StoredResponse } from '../../../db/sql/idempotency/request.ts';
import { againOnTime, catchUp } from '../../../services/contract/catch-up.ts';
import { againAfterFreeze } from '../../../services/customer/after-freeze.ts';
import { askerOf, nameMade } from '../audit.ts';
import type { Context, Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { noteWithEffect, releaseOrLapse, storeAfterwards, storeWithEffect } from '../idempotency.ts';
import { queueOf } from '../queue.ts';
import { longResponseOf, respond, responseOf } from '../response.ts';
import { LaterResponse, type Request, type Route, UnfinishedResponse } from '../route.ts';

/** Runs the route itself; its response is stored under the lease, if there is one. */
export function handle(route: Route, deps: ApiDependencies): Middleware {
  const { run, write } = route;
  if (write !== undefined) return async (ctx) => respond(ctx, await commit(route, write, ctx, deps));
  if (run === undefined) throw new Error(`${route.operationId} does nothing`);
  // a read never waits for the end of a freeze
  if (route.method === 'get') return async (ctx) => respond(ctx, await longResponseOf(route, await run(requestOf(route, ctx, deps), deps)));
  return async (ctx) => {
    const { lease } = ctx.state;
    const outcome = await afterFreeze(deps, async () => run(requestOf(route, ctx, deps), deps));
    const response = await longResponseOf(route, outcome);
    if (lease !== null && outcome instanceof UnfinishedResponse) await releaseOrLapse(lease, deps);
    else if (lease !== null) await storeAfterwards(deps.db, lease, response);
    respond(ctx, response);
  };
}

/** What a route gets of a request. */
export function requestOf(route: Route, ctx: Context, { settings }: ApiDependencies): Request<unknown, unknown, unknown> {
  const { requestId, key, input, idempotency } = ctx.state;
  return {
    ...input,
    vendor: key?.vendorId ?? '',
    apiKeyId: key?.id ?? '',
    requestId,
    asker: askerOf(route, key, input),
    idempotency,
    origin: settings.baseUrl,
    setHeader: (name: string, value: string) => ctx.set(name, value),
    header: (name: string) => ctx.get(name),
  };
}

/**
 * Effect and stored response in one transaction; requests about the same contract queue before they take a connection.
 */
async function commit(route: Route, write: NonNullable<Route['write']>, ctx: Context, deps: ApiDependencies): Promise<StoredResponse> {
  const { lease } = ctx.state;
  const request = requestOf(route, ctx, deps);
  const once = () =>
    deps.db.transaction(
      async (tx) => {
        const outcome = await write({ ...request, tx }, deps);
        nameMade(tx, outcome);
        if (outcome instanceof LaterResponse) {
          if (lease !== null) await noteWithEffect(tx, lease, outcome.effect);
          return outcome;
        }
        const response = responseOf(route, outcome);
        if (lease !== null) await storeWithEffect(tx, lease, response);
        return response;
      },
      { ...request.asker, prepare: true, generalPlans: true },
    );
  const advance = (contractId: string) => deps.catchUps.run(request.vendor, () => catchUp(deps.db, contractId));
  const caughtUp = () => once().catch((error: unknown) => againOnTime(deps.db, error, once, advance));
  const queue = route.queue?.(request.params);
  const done = await (queue === undefined ? caughtUp() : deps.queues.run(queueOf(request.vendor, queue), caughtUp));
  return done instanceof LaterResponse ? respondLater(route, done, lease, deps) : done;
}

/** The effect stands, so that a response which can't be stored is given all the same; a repeat finds the effect. */
async function respondLater(
  route: Route,
  later: LaterResponse<unknown>,
  lease: Lease | null,
  { db, log }: ApiDependencies,
): Promise<StoredResponse> {
  const response = responseOf(route, await later.respond());
  if (lease !== null)
    await storeAfterwards(db, lease, response).catch((lost: unknown) => log.warn({ err: lost }, 'a response could not be stored'));
  return response;
}

/**
 * A write that comes after a freeze was to end, and before a worker has ended it, is done once the end of the freeze is
 * carried out.
 */
const afterFreeze = <T>({ db }: Pick<ApiDependencies, 'db'>, write: () => Promise<T>): Promise<T> =>
  write().catch((error: unknown) => againAfterFreeze(db, error, write));
