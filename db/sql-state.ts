const FEATURE_NOT_SUPPORTED = '0A000';
/**
 * The place in Postgres' source that refuses a plan whose columns have changed since it was prepared; the message
 * itself depends on the server's language.
 */
const STALE_PLAN_ROUTINE = 'RevalidateCachedQuery';

/**
 * The SQLSTATE of a database error, however it was wrapped; undefined for anything else, such as EPIPE, which has five
 * letters too.
 */
export function sqlState(error: unknown): string | undefined {
  return reported(error)?.code;
}

/** Whether a prepared statement is refused because its columns have changed since. */
export function isStalePlan(error: unknown): boolean {
  const report = reported(error);
  return report?.code === FEATURE_NOT_SUPPORTED && report.routine === STALE_PLAN_ROUTINE;
}

/** What Postgres reported, at any depth of causes. */
function reported(error: unknown): { code: string; routine: unknown } | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, routine, cause } = error as { code?: unknown; routine?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return { code, routine };
  return cause === error ? undefined : reported(cause);
}

/** The name of the violated constraint, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { constraint, cause } = error as { constraint?: unknown; cause?: unknown };
  return typeof constraint === 'string' ? constraint : violatedConstraint(cause);
}
