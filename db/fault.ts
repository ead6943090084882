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
  for (let at: unknown = error, depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const { code, message, cause, errors } = at as { code?: unknown; message?: unknown; cause?: unknown; errors?: unknown[] };
    if (at instanceof TooManyTransactions) return true;
    if (typeof code === 'string' && BROKEN_LINE_CODES.has(code)) return true;
    if (typeof message === 'string' && BROKEN_LINE_TEXT.test(message)) return true;
    at = cause ?? errors?.[0];
  }
  return false;
}

/** One line that says what went wrong, for operators. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
