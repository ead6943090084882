import type { RouterContext, RouterMiddleware } from '@koa/router';
import type { IdempotencyRef, Lease } from '../../db/sql/idempotency/request.ts';
import type { KeyRecord } from '../../db/vendor-account/api-key.ts';

/** Parameters, query and body of a request as its route's schemas give them. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What one middleware of a request leaves for those after it. */
export interface RequestState {
  requestId: string;
  /** The live key of the caller; null before it is known, and on routes that need none. */
  key: KeyRecord | null;
  /** The body as it was sent. */
  bytes: Buffer;
  idempotency: IdempotencyRef | null;
  input: Input;
  /** The right to run under the request's Idempotency-Key. */
  lease: Lease | null;
}

export type Context = RouterContext<RequestState>;
export type Middleware = RouterMiddleware<RequestState>;

/** The name of the endpoint or page that a request was for, as the log, the metrics and the trace call it. */
export const operationOf = (ctx: object): string => (ctx as Context).routerName ?? 'unknown';

/** Paths as the document writes them, by the router's spelling. It has at most one entry for each route. */
const written = new Map<string, string>();

/** The path of the route that took a request, like `/v1/c/contract/{contract_id}`; null: none did. */
export function routeOf(ctx: object): string | null {
  const { _matchedRoute: path } = ctx as Context;
  if (typeof path !== 'string') return null;
  const known = written.get(path) ?? path.replaceAll(/:(\w+)/g, '{$1}');
  written.set(path, known);
  return known;
}
