/** SQL: the oldest writing transaction that is still open. Whatever an older one wrote is committed. */
export const COMMITTED_BEFORE = '(pg_snapshot_xmin(pg_current_snapshot()))::text::bigint';
