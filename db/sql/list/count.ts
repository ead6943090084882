import type { Queryable } from '../../connect.ts';
import { comparedWith, type List, type Position } from './list.ts';

/** Rows of a list up to a position. */
interface UpTo {
  sign: '<' | '<=';
  position: Position;
}

/**
 * Counts the rows of a list, or those up to a position. SQL, as all list pages are: an index has all it looks at,
 * wherever the list has no join and its filter an index.
 */
export async function countRows(db: Queryable, list: List, upTo: UpTo | null = null): Promise<number> {
  const where = (list.counting ?? list.where).copy();
  const within = upTo === null ? 'true' : comparedWith(list, upTo.sign, upTo.position, where);
  const [row] = await db.query<{ n: string }>(
    `select count(*) as n from ${list.counted ?? list.from} where ${where.sql} and ${within}`,
    where.params,
  );
  return Number(row?.n ?? 0);
}
