/**
 * SQL: a list as a parameter whose length Postgres doesn't plan by. It takes a list of unknown length for one of ten,
 * so it finds the plan for a shorter one cheaper, and would plan a prepared statement again for each.
 */
export const unsized = (parameter: string, type: string): string => `(select ${parameter}::${type})::${type}`;
