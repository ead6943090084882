/**
 * SQL: a condition on rows that are found by a key, written so that Postgres uses no index for it. In a new database
 * Postgres takes the table for small: it would combine the key's index with one of all rows that meet the condition,
 * those of all vendors, and would keep that plan while the rows become more.
 */
export const besideKey = (condition: string): string => `case when ${condition} then true else false end`;
