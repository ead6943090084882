/**
 * How long this transaction waits for a lock, and for each of its statements, in milliseconds. SQL, because both are
 * settings of the transaction.
 */
export const LIMITS_OF_TRANSACTION = `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`;
