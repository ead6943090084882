import type Koa from 'koa';
import { z } from 'zod';
import type { StoredResponse } from '../../db/sql/idempotency/request.ts';
import type { KeyRecord } from '../../db/vendor-account/api-key.ts';
import { requireScope, sessionFrom } from './authenticate.ts';
import { BODY_LIMITS, parseBody, readBody } from './body.ts';
import type { Dependencies } from './dependencies.ts';
import type { Match } from './dispatch.ts';
import { execute } from './execute.ts';
import { problemOf } from './failure.ts';
import { isKept, type Lease, leaseOrRepeat, referenceOf, releaseLease, storeAfterwards } from './idempotency.ts';
import { Problem } from './problem.ts';
import { parseQuery } from './query.ts';
import type { RateLimit } from './rate-limit.ts';
import { problemResponse } from './response.ts';
import type { Route } from './route.ts';
import { parseWith } from './validation-error.ts';

const EMPTY = Buffer.alloc(0);

interface Exchange {
  readonly context: Koa.Context;
  readonly requestId: string;
}

/** From a matched request to its answer: who, how often, what, at most once, and then the route itself. */
export async function handle(match: Match, exchange: Exchange, deps: Dependencies, limit: RateLimit | null): Promise<StoredResponse> {
  const caller = await callerOf(match.route, exchange.context, deps);
  try {
    return await handleFor(caller, match, exchange, deps, limit);
  } catch (error) {
    if (caller === null || match.route.ownKeyCheck !== true || !isRefusal(error) || (await deps.authenticator.isLive(caller))) throw error;
    // the key was only remembered, and its caller is told nothing else
    limit?.forget(exchange.context);
    throw new Problem('unauthorized');
  }
}

function isRefusal(error: unknown): boolean {
  const problem = problemOf(error);
  return problem !== null && problem.status < 500;
}

async function handleFor(
  caller: KeyRecord | null,
  match: Match,
  exchange: Exchange,
  deps: Dependencies,
  limit: RateLimit | null,
): Promise<StoredResponse> {
  const { context, requestId } = exchange;
  const { route } = match;
  if (caller !== null) {
    context.state.key = caller;
    limit?.take(caller.id, context);
    requireScope(caller, route.scope ?? 'read');
  }
  const bytes =
    route.method === 'get' ? EMPTY : await readBody(context.req, caller === null ? BODY_LIMITS.withoutKey : BODY_LIMITS.withKey);
  const key = route.method === 'post' && caller !== null ? context.req.headers['idempotency-key'] : undefined;
  const reference = referenceOf(single(key), caller?.vendorId ?? '', route.operationId, context.url, bytes);
  // what is refused for its shape has begun nothing and claims no key: the corrected body goes through under the same one
  const request = {
    ...(await deps.bigBodies.inTurn(caller?.vendorId ?? '', bytes.length, () => inputOf(match, context, bytes))),
    vendor: caller?.vendorId ?? '',
    apiKeyId: caller?.id ?? '',
    requestId,
    idempotency: reference,
    origin: deps.settings.baseUrl,
    setHeader: (name: string, value: string) => context.set(name, value),
    header: (name: string) => context.get(name),
  };
  const run = (lease: Lease | null) => execute(route, request, deps, lease);
  if (reference === null || route.ownIdempotency === true) return run(null);
  return onlyOnce(reference, run, exchange, deps);
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(',') : value);

async function callerOf(route: Route, context: Koa.Context, deps: Dependencies): Promise<KeyRecord | null> {
  const { headers } = context.req;
  if (route.scope === null) {
    if (headers['wb-key'] !== undefined) await brakeUnlessLive(single(headers['wb-key']) ?? '', context, deps);
    return null;
  }
  return deps.authenticator.authenticate({
    key: single(headers['wb-key']),
    cookie: sessionFrom(headers.cookie),
    origin: headers.origin,
    host: () => context.host,
    writes: route.method !== 'get',
    remembered: route.ownKeyCheck === true,
  });
}

/** Where no key is asked for, one that is live spares its caller the brake, and any other doesn't. */
async function brakeUnlessLive(key: string, context: Koa.Context, { authenticator, brake }: Dependencies): Promise<void> {
  const found = await authenticator.byKey(key, true).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'unauthorized') return null;
    throw error;
  });
  if (found === null) brake.take(context.req);
}

const NO_QUERY = {};
const NO_PARAMETERS = z.strictObject({});

function inputOf(match: Match, context: Koa.Context, bytes: Buffer): { params: unknown; query: unknown; body: unknown } {
  const { route } = match;
  const params = route.params === undefined ? {} : parseWith(route.params, match.params, 'path');
  const given = parseQuery(context.querystring);
  const query = route.query === undefined ? refuseAny(given) : parseWith(route.query, given, 'query');
  if (route.method === 'get') return { params, query, body: undefined };
  const sent = parseBody(bytes, context.req.headers['content-type']);
  if (route.body === undefined) return { params, query, body: undefined };
  const body = parseWith(route.body, sent === undefined && route.bodyOptional === true ? {} : sent, 'body');
  return { params, query, body };
}

function refuseAny(given: Record<string, unknown>): object {
  if (Object.keys(given).length > 0) parseWith(NO_PARAMETERS, given, 'query');
  return NO_QUERY;
}

/** Claims the key, runs, and keeps refusals that will not change; whatever left no trace gives the key back. */
async function onlyOnce(
  reference: NonNullable<ReturnType<typeof referenceOf>>,
  run: (lease: Lease) => Promise<StoredResponse>,
  { context, requestId }: Exchange,
  deps: Dependencies,
): Promise<StoredResponse> {
  const leased = await leaseOrRepeat(deps.db, reference);
  if ('repeat' in leased) return leased.repeat;
  try {
    return await run(leased.lease);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null || !isKept(problem)) {
      await releaseLease(deps.db, leased.lease).catch((lost: unknown) => deps.log.warn({ err: lost }, 'a claim was left to lapse'));
      throw error;
    }
    const refusal = problemResponse(problem, context.path, requestId);
    await storeAfterwards(deps.db, leased.lease, refusal);
    throw error;
  }
}
