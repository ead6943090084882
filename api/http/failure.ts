import { BillingError } from '../../billing/problem.ts';
import { sqlState } from '../../db/connect.ts';
import { isUnreachable } from '../../db/fault.ts';
import { type ErrorCode, isErrorCode } from './errors.ts';
import { type Feedback, Problem } from './problem.ts';
import { refusalCodes } from './refusal-codes.ts';

const RETRY_AFTER = 2;

/** Makes a Problem of whatever was thrown; null for what nobody expected. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof BillingError) return billingProblem(error);
  const failure = innermost(error);
  if (failure !== null) return new Problem(failure.code, failure.message, { feedback: failure.feedback, ...retry(failure.retryAfter) });
  if (isDatabaseAway(error) || isTemporalAway(error)) return unavailable(error);
  if (grpcCode(error) === RESOURCE_EXHAUSTED) return new Problem('change_in_progress', undefined, { retryAfter: 1, cause: error });
  return null;
}

/** A part is away, and nothing was done. */
export const unavailable = (cause: unknown): Problem => new Problem('unavailable', undefined, { retryAfter: RETRY_AFTER, cause });

/** Refusals that end by themselves. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'clock_advancing',
  'change_in_progress',
  'payment_in_progress',
  'idempotency_in_progress',
]);

const retry = (retryAfter: number | undefined) => (retryAfter === undefined ? {} : { retryAfter });

function billingProblem(error: BillingError): Problem {
  const feedback: Feedback = Object.fromEntries(error.problems.map(({ field, message }) => [field, { type: 'error', value: message }]));
  return new Problem('invalid_request', error.message, { feedback, cause: error });
}

interface Refusal {
  code: ErrorCode;
  message: string;
  feedback: Feedback;
  retryAfter: number | undefined;
}

const codeOf = (value: unknown): ErrorCode | null => {
  if (typeof value !== 'string') return null;
  if (Object.hasOwn(refusalCodes, value)) return refusalCodes[value as keyof typeof refusalCodes];
  return isErrorCode(value) ? value : null;
};

/**
 * A refusal made below the API: an error with a `code` of ours, or a Temporal failure whose `type` is one, at any depth of
 * causes (an Update's failure wraps the activity's). Its details, if any, carry `field`, `feedback` and `retryAfter`.
 */
function innermost(error: unknown): Refusal | null {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const failure = at as Record<string, unknown>;
    const code = codeOf(failure.code) ?? codeOf(failure.type);
    if (code !== null) return refusalOf(code, failure);
    at = failure.cause;
  }
  return null;
}

function refusalOf(code: ErrorCode, failure: Record<string, unknown>): Refusal {
  const details = Array.isArray(failure.details) ? failure.details[0] : undefined;
  const more = typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {};
  const message = String(failure.message);
  const field = failure.field ?? more.field;
  const retryAfter = [failure.retryAfter, more.retryAfter].find((value) => typeof value === 'number');
  const given = typeof field === 'string' ? { [field]: message } : (failure.feedback ?? more.feedback ?? {});
  const feedback: Feedback = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, { type: 'error', value: String(value) }]),
  );
  return { code, message, feedback, retryAfter: retryAfter ?? (PASSING.has(code) ? 1 : undefined) };
}

const AWAY_STATES = new Set(['57P01', '57P02', '57P03', '53300', '25006', '40001', '40P01', '55P03']);

/** Postgres can't be reached, is shutting down or starting up, or has no connection left. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error);
  return (state !== undefined && (AWAY_STATES.has(state) || state.startsWith('08'))) || isUnreachable(error);
}

const RESOURCE_EXHAUSTED = 8;
/** gRPC: cancelled, unknown, deadline exceeded, aborted, internal, unavailable: what a server says, or has said for it, while it goes or comes. */
const AWAY_STATUS = new Set([1, 2, 4, 10, 13, 14]);

function grpcCode(error: unknown): number | undefined {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const { code, cause } = at as { code?: unknown; cause?: unknown };
    if (typeof code === 'number') return code;
    at = cause;
  }
  return undefined;
}

const AWAY_NAMES = new Set(['TransportError', 'WorkflowUpdateRPCTimeoutOrCancelledError', 'GrpcConnectionError']);

export function isTemporalAway(error: unknown): boolean {
  const code = grpcCode(error);
  if (code !== undefined && AWAY_STATUS.has(code)) return true;
  return error instanceof Error && AWAY_NAMES.has(error.name);
}
