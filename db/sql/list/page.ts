import type { Queryable } from '../../connect.ts';
import { countRows } from './count.ts';
import { comparedWith, type List, orderOf, type Position } from './list.ts';

/**
 * Where a page lies: at an end of the list or next to a position. `tail` is the last page as counted from the first.
 */
export type Start = { from: 'head' | 'end' | 'tail' } | { from: 'after' | 'before'; position: Position };

/** What was counted for an earlier page of the same list. */
export interface CountedRows {
  total: number;
  /** rows before this page's position: up to it for `after`, without it for `before` */
  upTo: number;
}

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
 * One page of a list, its rows ascending, and how many rows there are in all. What an earlier page has counted isn't
 * counted again. SQL, because a page is read from a position on by two columns at once, and lists join and compute what
 * no entity has.
 */
export async function readPage<R extends object>(
  db: Queryable,
  list: List,
  start: Start,
  limit: number,
  counted: CountedRows | null = null,
): Promise<Page<R>> {
  const total = await (list.total?.(db) ?? counted?.total ?? countRows(db, list));
  const size = start.from === 'tail' && limit > 0 && total > 0 ? total % limit || limit : limit;
  const { rows, goesOn } = size === 0 || total === 0 ? { rows: [], goesOn: false } : await readRows<R>(db, list, start, size);
  const [first, last] = [positionOf(rows[0]), positionOf(rows.at(-1))];
  return { rows, first, last, total, ...(await around(db, { list, start, size: rows.length, goesOn, total, counted })) };
}

interface Read {
  list: List;
  start: Start;
  /** rows of the page */
  size: number;
  /** there are more in the direction of reading */
  goesOn: boolean;
  total: number;
  counted: CountedRows | null;
}

/**
 * How many rows are before the page and after it. Whether there are any in the direction of reading was seen; only
 * their number may be as old as what was counted.
 */
async function around(db: Queryable, { list, start, size, goesOn, total, counted }: Read): Promise<{ before: number; after: number }> {
  if (size === 0) return { before: 0, after: 0 };
  if (!isBackwards(start)) {
    const before = 'position' in start ? (counted?.upTo ?? (await countRows(db, list, { sign: '<=', position: start.position }))) : 0;
    return { before, after: goesOn ? Math.max(1, total - before - size) : 0 };
  }
  const upTo = 'position' in start ? (counted?.upTo ?? (await countRows(db, list, { sign: '<', position: start.position }))) : total;
  const before = goesOn ? Math.max(1, upTo - size) : 0;
  return { before, after: Math.max(0, total - before - size) };
}

const isBackwards = ({ from }: Start): boolean => from === 'end' || from === 'tail' || from === 'before';

/** The most that the rows of a page have together, in bytes: making more of them holds up all other requests. */
const PAGE_BYTES = 5_000_000;

interface Found {
  /** rows that were there for the page and behind it, long ones too; null: all are here */
  key_found?: number | string | null;
}

/** Reads one row more than the page has, to see whether the list goes on. */
async function readRows<R extends object>(db: Queryable, list: List, start: Start, size: number) {
  const where = list.where.copy();
  const backwards = isBackwards(start);
  const beyond = 'position' in start ? comparedWith(list, backwards ? '<' : '>', start.position, where) : 'true';
  const direction = backwards ? 'desc' : 'asc';
  const sql = `select ${list.select}, ${list.at} as key_at, ${list.id} as key_id from ${list.from} where ${where.sql} and ${beyond}
     order by ${orderOf(list, direction)} limit ${where.param(size + 1)}`;
  const rows = await db.query<R & Keyed & Found>(list.bytes === undefined ? sql : fitting(sql, list.bytes, direction), where.params);
  const page = rows.slice(0, size);
  const found = Number(rows[0]?.key_found ?? rows.length);
  return { rows: backwards ? page.reverse() : page, goesOn: found > page.length };
}

/** SQL: of a page's rows, in the direction of reading, those that fit together, at least one. */
const fitting = (sql: string, bytes: string, direction: 'asc' | 'desc'): string => `
  select * from (
    select r.*, count(*) over () as key_found, row_number() over inOrder as key_place, sum(${bytes}) over inOrder as key_bytes
    from (${sql}) r window inOrder as (order by key_at ${direction}, key_id ${direction} rows unbounded preceding)
  ) page where key_place = 1 or key_bytes <= ${PAGE_BYTES} order by key_place`;

const positionOf = (row: Keyed | undefined): Position | null => (row === undefined ? null : { at: row.key_at, id: row.key_id });
