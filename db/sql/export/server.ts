import type { Queryable } from '../../connect.ts';
import { TIMELINE } from '../transaction/commit-mark.ts';

/** Where transaction numbers are valid, and how far an export may read. */
export interface ExportServer {
  /** names the server, its timeline and the database: another one counts its transactions by itself */
  name: string;
  /** every transaction before this one has ended */
  settled: bigint;
}

/** If a dump is restored into the same database, the table gets another id. */
const SQL = `
  select left(md5(concat_ws(' ', (select system_identifier from pg_control_system()), ${TIMELINE},
      (select oid from pg_database where datname = current_database()), 'invoice'::regclass::oid)), 12) as name,
    pg_snapshot_xmin(pg_current_snapshot())::text as settled,
    pg_logical_emit_message(true, 'perennial', 'export') is not null as kept`;

/**
 * The message is a transaction of its own, which is on disk before the answer comes. Without it Postgres could forget
 * in a crash that it had given out the last numbers, where all of those transactions were rolled back, and give them
 * to others, which an export would have passed. SQL, because it asks about Postgres itself.
 */
export async function exportServer(db: Queryable): Promise<ExportServer> {
  const [row] = await db.query<{ name: string; settled: string }>(SQL);
  if (row === undefined) throw new Error('Postgres has not said which server it is');
  return { name: row.name, settled: BigInt(row.settled) };
}
