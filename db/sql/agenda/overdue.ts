/**
 * SQL: a row of `agenda a` is a minute past. A timer, its activity and a retry or two fit into a minute; a row that is
 * held can't run now.
 */
export const OVERDUE = `a.test_clock_id is null and not a.held and a.due_at < clock_timestamp() - interval '1 minute'`;
