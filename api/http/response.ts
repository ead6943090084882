import type Koa from 'koa';
import type { StoredResponse } from '../../db/sql/idempotency/request.ts';
import { inRounds } from '../../services/contract/in-rounds.ts';
import { hasLongList, jsonText } from './json-text.ts';
import { type Problem, problemBody } from './problem.ts';
import { ApiResponse, FileResponse, type Route, WrittenBody } from './route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A route's outcome as bytes: the first status of the route unless the outcome names another. */
export function responseOf(route: Route, outcome: unknown): StoredResponse {
  if (outcome instanceof FileResponse) return fileResponse(route, outcome);
  const body = bodyOf(outcome);
  return jsonResponse(route, outcome, body instanceof WrittenBody ? body.text : JSON.stringify(body));
}

/** The same; while long lists are written other requests get their turn. */
export async function longResponseOf(route: Route, outcome: unknown): Promise<StoredResponse> {
  const body = bodyOf(outcome);
  if (outcome instanceof FileResponse || body instanceof WrittenBody || !hasLongList(body)) return responseOf(route, outcome);
  return jsonResponse(route, outcome, await inRounds(jsonText(body)));
}

const bodyOf = (outcome: unknown): unknown => (outcome instanceof ApiResponse ? outcome.body : outcome);

function jsonResponse(route: Route, outcome: unknown, text = ''): StoredResponse {
  const status = outcome instanceof ApiResponse ? outcome.status : firstStatus(route);
  const empty = route.response[status] === null;
  return {
    status,
    body: empty ? '' : text,
    headers: empty ? {} : { 'content-type': JSON_TYPE },
    secret: (outcome instanceof ApiResponse ? outcome.secret : undefined) ?? route.secret === true,
  };
}

function fileResponse(route: Route, { bytes, name }: FileResponse): StoredResponse {
  const headers = { 'content-type': route.media ?? 'application/octet-stream', 'content-disposition': `inline; filename="${name}"` };
  return { status: firstStatus(route), body: null, bytes, headers, secret: false };
}

// object keys that are whole numbers come in ascending order, and the usual status is always the lowest
const firstStatus = (route: Route): number => Number(Object.keys(route.response)[0]);

export function problemResponse(problem: Problem, instance: string, requestId: string): StoredResponse {
  return {
    status: problem.status,
    body: JSON.stringify(problemBody(problem, instance, requestId)),
    headers: {
      'content-type': PROBLEM_TYPE,
      ...(problem.retryAfter === undefined ? {} : { 'retry-after': String(problem.retryAfter) }),
      ...problem.headers,
    },
    secret: false,
  };
}

/** Sends a response of a route, of a problem, or one that was stored. */
export function respond(
  ctx: Pick<Koa.Context, 'status' | 'type' | 'body' | 'set' | 'remove'>,
  { status, headers, body, bytes }: StoredResponse,
): void {
  ctx.status = status;
  // a response may be stored with its body alone
  if (body && headers['content-type'] === undefined) ctx.type = 'application/json';
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  ctx.body = bytes ?? body ?? '';
  // an empty body has no type, and Koa would have called it text
  if (!body && bytes === undefined) ctx.remove('content-type');
}
