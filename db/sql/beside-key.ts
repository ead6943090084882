/**
 * SQL: a condition on rows that are found by a key, for which Postgres reads no index. Where it takes a table for
 * small, as it does in a new database, it would read beside the key's index a whole one of the rows that meet the
 * condition, those of all vendors, and would keep that plan while they become more.
 */
export const besideKey = (condition: string): string => `case when ${condition} then true else false end`;
