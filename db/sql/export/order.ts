/** SQL: the first transaction id that this server has not given out yet. */
const NOT_GIVEN = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

/**
 * SQL: the place of a row in an export, by the transaction that wrote it last. An id that this server has not given out
 * came with the dump of another server: such rows come first, at 0, a number that no transaction has.
 */
export const writtenFirst = (xid: string): string => `case when ${xid} >= ${NOT_GIVEN} then 0 else ${xid} end`;

/** SQL: the same of what is made of two rows, of which the second may be missing. */
export const latestOf = (one: string, other: string): string => `greatest(${writtenFirst(one)}, ${writtenFirst(other)})`;

/** SQL: written from transaction `$2` on and before `$3`. The index of `xid` decides it, not a computed place. */
export const writtenIn = (xid: string): string => `(${xid} >= $2 and ${xid} < $3 or $2 = 0 and ${xid} >= ${NOT_GIVEN})`;
