import type { Queryable } from '../../connect.ts';
import type { ExportNoun } from '../../export/nouns.ts';
import { EXPORTED_TABLES } from './tables.ts';

/** A place in the order of an export: a transaction, and within it an id; '' is before all ids. */
export interface ExportPlace {
  xid: bigint;
  id: string;
}

/** Rows of one vendor's noun behind a place and before a transaction. */
export interface ExportWindow {
  noun: ExportNoun;
  vendorId: string;
  after: ExportPlace;
  before: bigint;
}

const sqlOf = (noun: ExportNoun): string => {
  const { from, id, vendorId, changed, candidates } = EXPORTED_TABLES[noun];
  return `select xid::text as xid, id from (
      select ${id} as id, ${changed} as xid from ${from} where ${vendorId} = $1 and ${candidates}
    ) changed
    where xid >= $2::bigint and xid < $3::bigint and (xid > $2::bigint or id collate "C" > $4)
    order by changed.xid, id collate "C" limit $5`;
};

/**
 * The places of up to `most` rows that were changed in a window, in order. SQL: it asks for the transactions that wrote
 * rows, of which the entities know nothing.
 */
export async function readChanged(db: Queryable, { noun, vendorId, after, before }: ExportWindow, most: number): Promise<ExportPlace[]> {
  const rows = await db.query<{ xid: string; id: string }>(sqlOf(noun), [vendorId, String(after.xid), String(before), after.id, most]);
  return rows.map(({ xid, id }) => ({ xid: BigInt(xid), id }));
}
