import type { Queryable } from '../../connect.ts';
import { comparedWith, type List, orderOf, type Position } from './list.ts';

/** Rows of a list, newest first, and where the next older ones are. */
export interface Newest<R> {
  rows: R[];
  /** null: there are no older ones */
  next: Position | null;
}

/**
 * The newest rows of a list, or those behind a position. SQL, as all list pages are: the same list as the API shows,
 * read from its end, and counted by nobody, so that it costs the same however long the list is.
 */
export async function readNewest<R extends object>(db: Queryable, list: List, before: Position | null, limit: number): Promise<Newest<R>> {
  const where = list.where.copy();
  const beyond = before === null ? 'true' : comparedWith(list, '<', before, where);
  const found = await db.query<R & { key_at: number | string; key_id: string }>(
    `select ${list.select}, ${list.at} as key_at, ${list.id} as key_id from ${list.from} where ${where.sql} and ${beyond}
     order by ${orderOf(list, 'desc')} limit ${where.param(limit + 1)}`,
    where.params,
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? { at: last.key_at, id: last.key_id } : null };
}
