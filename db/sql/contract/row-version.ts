/**
 * Names the state of a contract's row in SQL: every write of a row gives it another `xmin`, and the server's start time
 * distinguishes transaction ids that a restore or a fail-over may give a second time.
 */
export const rowVersion = (row: string): string => `${row}.xmin::text || ' ' || pg_postmaster_start_time()::text`;
