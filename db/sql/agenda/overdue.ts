/**
 * SQL: a row of `agenda a` is a minute past. A timer, its activity and some retries take less than a minute; a held row
 * can't run now, so it isn't overdue.
 */
export const OVERDUE = `a.test_clock_id is null and not a.held and a.due_at < clock_timestamp() - interval '1 minute'`;
