import type { Queryable } from '../../connect.ts';
import type { ExportNoun } from '../../export/nouns.ts';
import type { ExportPlace } from './read-changed.ts';
import { EXPORTED_TABLES } from './tables.ts';

/** A row with its place; its other columns are those of its noun. */
export interface ExportedRow {
  place: ExportPlace;
  row: object;
}

const sqlOf = (noun: ExportNoun): string => {
  const { from, id, vendorId, changed, columns, named } = EXPORTED_TABLES[noun];
  return `select ${columns}, (${changed})::text as changed_xid, ${id} as changed_id from ${from} where ${vendorId} = $1 and ${named}`;
};

/**
 * The rows at some places. One that was changed since it was found is left out: it comes at its later place. SQL: the
 * columns are those of the lists.
 */
export async function readRows(db: Queryable, noun: ExportNoun, vendorId: string, places: readonly ExportPlace[]): Promise<ExportedRow[]> {
  const found = await db.query<{ changed_xid: string; changed_id: string }>(sqlOf(noun), [vendorId, places.map(({ id }) => id)]);
  const rows = new Map(found.map(({ changed_xid, changed_id, ...row }) => [`${changed_xid} ${changed_id}`, row]));
  return places.flatMap((place) => {
    const row = rows.get(`${place.xid} ${place.id}`);
    return row === undefined ? [] : [{ place, row }];
  });
}
