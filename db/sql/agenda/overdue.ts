/**
 * SQL: a row of `agenda a` is a minute past. A timer, its activity and some retries take less than a minute; a held row
 * can't run now, so it isn't overdue. The clock is asked once, by a select of its own: compared with a function whose
 * value changes, every row that isn't due would be read too.
 */
export const OVERDUE = `a.test_clock_id is null and not a.held and a.due_at < (select clock_timestamp() - interval '1 minute')`;
