import type { Logger } from 'pino';
import { CallerGone } from './body.ts';
import { problemOf } from './failure.ts';

const UNEXPECTED = 500;

/**
 * Logs what a page of the portal failed with, as for endpoints; gives the page's status. Null = nobody waits for it.
 */
export function portalFailure(error: unknown, requestId: string, log: Logger): { status: number; retryAfter?: number | undefined } | null {
  if (error instanceof CallerGone) return null;
  const problem = problemOf(error);
  if (problem === null) log.error({ err: error, request_id: requestId }, 'unexpected failure');
  else if (problem.status >= 500) log.warn({ err: problem.cause ?? problem, request_id: requestId }, 'not available');
  return { status: problem?.status ?? UNEXPECTED, retryAfter: problem?.retryAfter };
}
