import type { Logger } from 'pino';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { BillingError } from '../../billing/problem.ts';
import { Refusal, type RefusalCode } from '../../billing/refusal.ts';
import { isUnreachable } from '../../db/fault.ts';
import { CommitUnknown } from '../../db/sql/transaction/commit-fate.ts';
import { sqlState } from '../../db/sql-state.ts';
import { PrintQueueFull } from '../../pdf/full.ts';
import { type ErrorCode, errors } from './errors.ts';
import { asSentence, invalidFields, MOST_ERRORS, Problem, type ValidationErrors } from './problem.ts';
import { errorCodeOf } from './refusal-codes.ts';

const RETRY_AFTER = 2;
const NOT_FOUND = 404;
const CATCHING_UP =
  'The contract is catching up with what has become due; nothing was done. Try again after the time given in Retry-After.';

/** Makes a Problem of what was thrown; null for an unexpected error. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof BillingError) return billingProblem(error);
  if (error instanceof Refusal) return refusalProblem(error);
  if (error instanceof CommitUnknown) return new Problem('outcome_unknown', undefined, { retryAfter: RETRY_AFTER, cause: error });
  if (error instanceof CatchingUp) return new Problem('unavailable', CATCHING_UP, { retryAfter: RETRY_AFTER, cause: error });
  if (error instanceof PrintQueueFull) return printProblem(error);
  return isDatabaseAway(error) ? unavailable(error) : null;
}

/** The same; an unexpected error is logged once, with everything, and answered without detail. */
export function expectedOrLogged(error: unknown, requestId: string, log: Logger): Problem {
  const problem = problemOf(error);
  if (problem === null) log.error({ err: error, request_id: requestId }, 'unexpected failure');
  else if (problem.status >= 500) log.warn({ err: problem.cause ?? problem, request_id: requestId }, 'not available');
  return problem ?? new Problem('internal_error', 'Something went wrong on our side; the request_id helps us to find it.');
}

/** A part can't be reached, and nothing was done. */
const unavailable = (cause: unknown): Problem => new Problem('unavailable', undefined, { retryAfter: RETRY_AFTER, cause });

const printProblem = (error: PrintQueueFull): Problem =>
  new Problem(error.code === 'owner_full' ? 'rate_limited' : 'unavailable', undefined, { retryAfter: error.retryAfter, cause: error });

const billingProblem = (error: BillingError): Problem =>
  invalidFields(
    error.problems.map(({ field, message }) => [field, message]),
    MOST_ERRORS,
    error,
  );

/** Refusals that pass after a while. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['clock_advancing', 'change_in_progress', 'payment_in_progress']);

/** What to do instead, where a rule only says what is. */
const REMEDIES: Partial<Record<RefusalCode, string>> = {
  usage_period_closed: 'to correct it, amend or discard its events, or report more with allow_correction',
};

function refusalProblem(refusal: Refusal): Problem {
  const code = errorCodeOf(refusal.code);
  const fields = Object.entries(refusal.feedback);
  if (code === 'invalid_request' && fields.length > 0) return invalidFields(fields, MOST_ERRORS, refusal);
  const retryAfter = refusal.retryAfter ?? (PASSING.has(code) ? 1 : undefined);
  const message = messageOf(refusal, code);
  const feedback = validationErrorsOf(fields.map(([name, value]) => [name, value === refusal.message ? message : value]));
  return new Problem(code, message, { feedback, ...(retryAfter === undefined ? {} : { retryAfter }) });
}

/** The message for the caller. "There is no such thing" doesn't say what to do, so the remedy of the code is added. */
function messageOf({ code: rule, message }: Refusal, code: ErrorCode): string {
  const { status, remedy } = errors[code];
  if (status === NOT_FOUND) return `${asSentence(message)} ${remedy}`;
  return [message, REMEDIES[rule]].filter(Boolean).join(': ');
}

const validationErrorsOf = (entries: readonly (readonly [string, string])[]): ValidationErrors =>
  Object.fromEntries(entries.map(([name, value]) => [name, { type: 'error', value }]));

const AWAY_STATES = new Set(['57014', '57P01', '57P02', '57P03', '53300', '25006', '40001', '40P01', '55P03']);

/**
 * Postgres can't be reached, is shutting down or starting up, has no connection left, or a lock could not be taken in
 * time.
 */
function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  return (state !== undefined && (AWAY_STATES.has(state) || state.startsWith('08'))) || isUnreachable(error);
}

/** What is wrong with which field of a request; null for a failure of another kind. */
export function wrongFields(error: unknown): ReadonlyMap<string, string> | null {
  const problem = problemOf(error);
  return problem?.code === 'invalid_request' ? new Map(Object.entries(problem.feedback).map(([field, { value }]) => [field, value])) : null;
}
