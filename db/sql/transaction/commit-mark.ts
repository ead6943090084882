import type { Queryable } from '../../connect.ts';

/** Identifies a transaction, to learn its fate when the answer to its COMMIT is lost. */
export interface CommitMark {
  xid: string;
  at: string;
  timeline: string;
}

/** SQL: the server's timeline; a restored server has another. */
export const TIMELINE = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)';

/**
 * Read by the last statement of a transaction; null: it has written nothing. SQL, because it asks about Postgres
 * itself.
 */
export async function commitMark(tx: Queryable): Promise<CommitMark | null> {
  const [row] = await tx.query<Omit<CommitMark, 'xid'> & { xid: string | null }>(
    `select pg_current_xact_id_if_assigned()::text as xid, clock_timestamp()::text as at, ${TIMELINE} as timeline`,
  );
  return row === undefined || row.xid === null ? null : { ...row, xid: row.xid };
}
