import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { Where } from './where.ts';

/** A list in ascending order of two columns: an instant (or a serial number) and an id. */
export interface List {
  /** e.g. `customer` or `invoice join …` */
  from: string;
  select: string;
  at: string;
  /** `at` is a bigint, not an instant */
  serial?: boolean;
  id: string;
  where: Where;
}

interface Position {
  at: number | string;
  id: string;
}

/**
 * Where a page lies: at an end of the list or next to a position. `tail` is the last page as counted from the first.
 */
export type Start = { from: 'head' | 'end' | 'tail' } | { from: 'after' | 'before'; position: Position };

export interface Page<R> {
  rows: R[];
  first: Position | null;
  last: Position | null;
  total: number;
  /** numbers of rows before the page and after it */
  before: number;
  after: number;
}

interface Keyed {
  key_at: number | string;
  key_id: string;
}

/**
 * One page of a list, its rows ascending, with exact counts. SQL, because a page is read from a position on by two
 * columns at once, and lists join and compute what no entity has.
 */
export async function readPage<R extends object>(db: Queryable, list: List, start: Start, limit: number): Promise<Page<R>> {
  const size = start.from === 'tail' ? await tailSize(db, list, limit) : limit;
  const found = size === 0 ? [] : await readRows<R>(db, list, start, size);
  const [first, last] = [positionOf(found[0]), positionOf(found.at(-1))];
  return { rows: found, first, last, ...(await count(db, list, first, last)) };
}

async function readRows<R extends object>(db: Queryable, list: List, start: Start, size: number): Promise<(R & Keyed)[]> {
  const where = list.where.copy();
  const backwards = start.from === 'end' || start.from === 'tail' || start.from === 'before';
  if ('position' in start) {
    where.and(`(${list.at}, ${list.id}) ${backwards ? '<' : '>'} (?::${typeOf(list)}, ?)`, ...keyOf(list, start.position));
  }
  const order = backwards ? 'desc' : 'asc';
  const rows = await db.query<R & Keyed>(
    `select ${list.select}, ${list.at} as key_at, ${list.id} as key_id from ${list.from} where ${where.sql}
     order by ${list.at} ${order}, ${list.id} ${order} limit ${where.param(size)}`,
    where.params,
  );
  return backwards ? rows.reverse() : rows;
}

const typeOf = (list: List): string => (list.serial === true ? 'bigint' : 'timestamptz');
const keyOf = (list: List, { at, id }: Position): [string, string] => [list.serial === true ? String(at) : stamp(Number(at)), id];

const positionOf = (row: Keyed | undefined): Position | null => (row === undefined ? null : { at: row.key_at, id: row.key_id });

async function count(db: Queryable, list: List, first: Position | null, last: Position | null) {
  const where = list.where.copy();
  const beyond = (position: Position | null, sign: string) =>
    position === null
      ? '0'
      : `count(*) filter (where (${list.at}, ${list.id}) ${sign} (${where.param(keyOf(list, position)[0])}::${typeOf(list)}, ${where.param(position.id)}))`;
  const [row] = await db.query<{ total: string; before: string; after: string }>(
    `select count(*) as total, ${beyond(first, '<')} as before, ${beyond(last, '>')} as after from ${list.from} where ${where.sql}`,
    where.params,
  );
  return { total: Number(row?.total ?? 0), before: Number(row?.before ?? 0), after: Number(row?.after ?? 0) };
}

async function tailSize(db: Queryable, list: List, limit: number): Promise<number> {
  if (limit === 0) return 0;
  const { total } = await count(db, list, null, null);
  return total === 0 ? 0 : total % limit || limit;
}
