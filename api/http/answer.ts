import type { StoredAnswer } from '../../db/idempotency/answer.ts';
import { type Problem, problemBody } from './problem.ts';
import { Answer, FileAnswer, type Route } from './route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A route's outcome as bytes: the first status of the route unless the outcome names another. */
export function answerOf(route: Route, outcome: unknown): StoredAnswer {
  if (outcome instanceof FileAnswer) return fileAnswer(route, outcome);
  const status = outcome instanceof Answer ? outcome.status : firstStatus(route);
  const body = outcome instanceof Answer ? outcome.body : outcome;
  const empty = route.answer[status] === null;
  return {
    status,
    body: empty ? '' : JSON.stringify(body),
    headers: empty ? {} : { 'content-type': JSON_TYPE },
    secret: (outcome instanceof Answer ? outcome.secret : undefined) ?? route.secret === true,
  };
}

function fileAnswer(route: Route, { bytes, name }: FileAnswer): StoredAnswer {
  const headers = { 'content-type': route.media ?? 'application/octet-stream', 'content-disposition': `inline; filename="${name}"` };
  return { status: firstStatus(route), body: null, bytes, headers, secret: false };
}

// object keys that are whole numbers come in ascending order, and the usual status is always the lowest
const firstStatus = (route: Route): number => Number(Object.keys(route.answer)[0]);

export function problemAnswer(problem: Problem, instance: string, requestId: string): StoredAnswer {
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
