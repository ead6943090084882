import { TooManyTransactions } from './lockers.ts';
import { isStalePlan, sqlState } from './sql-state.ts';

/**
 * Classes of SQLSTATE that pass: connection, insufficient resources, operator intervention, rolled back, object not
 * available now.
 */
const PASSING_CLASSES = new Set(['08', '53', '57', '40', '55', '25']);
const BROKEN_LINE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
const BROKEN_LINE_TEXT =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;
const NOT_CONNECTED_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
const NOT_CONNECTED_TEXT = /due to connection timeout|timeout exceeded when trying to connect|not queryable/;

/**
 * Whether a retry may succeed: the database is away, restarting, out of connections or migrated meanwhile, or two
 * transactions conflicted. Anything else (a rule that throws, a row that breaks a constraint) will be the same next
 * time.
 */
export function mayPass(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? isUnreachable(error) : PASSING_CLASSES.has(state.slice(0, 2)) || isStalePlan(error);
}

/** Whether the line to a server is broken, or was never made, at any depth of causes. */
export function isUnreachable(error: unknown): boolean {
  for (const one of causesOf(error)) {
    if (one instanceof TooManyTransactions || BROKEN_LINE_CODES.has(String(one.code)) || BROKEN_LINE_TEXT.test(String(one.message))) {
      return true;
    }
  }
  return false;
}

/**
 * Whether the answer to a statement was lost: it may have been carried out, or still be. Where there was no line to
 * send it on, nothing was.
 */
export function isAnswerLost(error: unknown): boolean {
  if (sqlState(error) !== undefined || !isUnreachable(error)) return false;
  for (const one of causesOf(error)) {
    if (one instanceof TooManyTransactions || NOT_CONNECTED_CODES.has(String(one.code)) || NOT_CONNECTED_TEXT.test(String(one.message))) {
      return false;
    }
  }
  return true;
}

/** An error and what has caused it. */
function* causesOf(error: unknown): Generator<{ code?: unknown; message?: unknown }> {
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    yield at;
    const { cause, errors } = at as { cause?: unknown; errors?: unknown[] };
    at = cause ?? errors?.[0];
  }
}

/**
 * One line that says what went wrong, for operators and vendors. What the database itself says stays in the log: it
 * names columns and shows values.
 */
export function reasonOf(error: unknown): string {
  const state = sqlState(error);
  if (state !== undefined) return `the database refused a statement (SQLSTATE ${state}); the log has more`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
