/**
 * Names the state of a contract's row in SQL: every write of a row gives it another `xmin`, and the server's start
 * tells apart what a restore or a fail-over may count again.
 */
export const rowVersion = (row: string): string => `${row}.xmin::text || ' ' || pg_postmaster_start_time()::text`;
