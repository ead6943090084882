import { z } from 'zod';
import type { BodyReading } from '../big-bodies.ts';
import { parseBody } from '../body.ts';
import type { Context, Input, Middleware } from '../context.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { single } from '../header.ts';
import { referenceOf } from '../idempotency.ts';
import { parseQuery } from '../query.ts';
import { type Route, takesIdempotencyKey } from '../route.ts';
import { parseWith } from '../validation-error.ts';

/**
 * Checks the Idempotency-Key's form, then path, query and body by the route's schemas. Throws `invalid_request` and
 * other problems of the request.
 */
export function validate(route: Route, { bigBodies }: ApiDependencies): Middleware {
  const takesKey = takesIdempotencyKey(route);
  return async (ctx, next) => {
    const { key, bytes } = ctx.state;
    const vendorId = key?.vendorId ?? '';
    const idempotencyKey = takesKey ? single(ctx.req.headers['idempotency-key']) : undefined;
    ctx.state.idempotency = referenceOf(idempotencyKey, vendorId, route.operationId, ctx.url, bytes, subjectOf(ctx.params));
    ctx.state.input = await bigBodies.inTurn(vendorId, bytes.length, () => inputOf(route, ctx));
    await next();
  };
}

/** The id that the path names first: what the request is about. */
const subjectOf = (params: Readonly<Record<string, string>>): string | null => Object.values(params)[0] ?? null;

const NO_QUERY = {};
const NO_PARAMETERS = z.strictObject({});

function* inputOf(route: Route, ctx: Context): BodyReading<Input> {
  const params = route.params === undefined ? {} : parseWith(route.params, ctx.params, 'path');
  const given = parseQuery(ctx.querystring);
  const query = route.query === undefined ? refuseAny(given) : parseWith(route.query, given, 'query');
  if (route.method === 'get') return { params, query, body: undefined };
  const sent = parseBody(ctx.state.bytes, ctx.req.headers);
  yield;
  if (route.body === undefined) return { params, query, body: undefined };
  const body = parseWith(route.body, sent === undefined && route.bodyOptional === true ? {} : sent, 'body');
  return { params, query, body };
}

function refuseAny(given: Record<string, unknown>): object {
  if (Object.keys(given).length > 0) parseWith(NO_PARAMETERS, given, 'query');
  return NO_QUERY;
}
