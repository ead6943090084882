import type { StoredResponse } from '../../db/sql/idempotency/request.ts';
import { type Problem, problemBody } from './problem.ts';
import { ApiResponse, FileResponse, type Route } from './route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A route's outcome as bytes: the first status of the route unless the outcome names another. */
export function answerOf(route: Route, outcome: unknown): StoredResponse {
  if (outcome instanceof FileResponse) return fileResponse(route, outcome);
  const status = outcome instanceof ApiResponse ? outcome.status : firstStatus(route);
  const body = outcome instanceof ApiResponse ? outcome.body : outcome;
  const empty = route.response[status] === null;
  return {
    status,
    body: empty ? '' : JSON.stringify(body),
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
