import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../../db/connect.ts';
import type { List } from '../../db/sql/list/list.ts';
import { type CountedRows, type Page, readPage, type Start } from '../../db/sql/list/page.ts';
import { DEFAULT_LIMIT, type PagingQuery } from '../schema/paging.ts';
import { Problem } from './problem.ts';

export interface Paginated<H> {
  current_page: number;
  hits: H[];
  total: number;
  total_pages: number;
  backward: string | null;
  first: string | null;
  forward: string | null;
  last: string | null;
}

/** Counts pages from the first hit or from the last one, by the way the list is walked. */
type Walk = 'forward' | 'backward';
interface Cursor {
  readonly start: Start;
  readonly walk: Walk;
  /** What an earlier page counted, of a list that is long; null: count again. */
  readonly counted: CountedEarlier | null;
}

interface CountedEarlier extends CountedRows {
  /** what was asked for: with another filter a cursor keeps its position alone */
  readonly of: string;
}

/** Counting this many hits again takes less than a millisecond, so each page of a short list is counted afresh. */
const COUNTED_AGAIN = 1_000;

const SIGNATURE_BYTES = 16;

/** Opaque, signed positions in one vendor's list. */
export class Cursors {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  seal(list: string, cursor: Cursor): string {
    const text = Buffer.from(JSON.stringify([cursor.walk, cursor.start, cursor.counted])).toString('base64url');
    return `${text}.${this.#sign(list, text)}`;
  }

  open(list: string, sealed: string): Cursor {
    const [text, signature] = sealed.split('.');
    if (text === undefined || signature === undefined) throw new Problem('invalid_cursor');
    const [given, wanted] = [Buffer.from(signature), Buffer.from(this.#sign(list, text))];
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new Problem('invalid_cursor');
    // ours: the signature is right
    const [walk, start, counted] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [Walk, Start, CountedEarlier | null];
    return { walk, start, counted };
  }

  #sign(list: string, text: string): string {
    return createHmac('sha256', this.#secret).update(`cursor:${list}:${text}`).digest().subarray(0, SIGNATURE_BYTES).toString('base64url');
  }
}

/**
 * One page of a vendor's list as the wire has it. A cursor contains its own direction; `direction` chooses the end to
 * begin at.
 *
 * @param name list and vendor, so that a cursor fits nowhere else
 */
export async function paginate<R extends object>(
  db: Queryable,
  cursors: Cursors,
  name: string,
  list: List,
  query: PagingQuery,
): Promise<Paginated<R>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const cursor = query.offset === undefined ? beginning(query.direction ?? 'forward') : cursors.open(name, query.offset);
  const of = filterOf(list);
  const page = await readPage<R>(db, list, cursor.start, limit, cursor.counted?.of === of ? cursor.counted : null);
  const { total } = page;
  const seal = (start: Start, upTo: number, walk: Walk = cursor.walk) =>
    cursors.seal(name, { start, walk, counted: total > COUNTED_AGAIN ? { total, upTo, of } : null });
  const any = total > 0 && limit > 0;
  return {
    ...numbers(page, cursor.walk, limit),
    hits: page.rows,
    total,
    backward: page.first !== null && page.before > 0 ? seal({ from: 'before', position: page.first }, page.before) : null,
    first: any ? seal({ from: 'head' }, 0, 'forward') : null,
    forward: page.last !== null && page.after > 0 ? seal({ from: 'after', position: page.last }, page.before + page.rows.length) : null,
    last: any ? seal({ from: 'tail' }, total, 'forward') : null,
  };
}

const beginning = (direction: Walk): Cursor => ({
  walk: direction,
  start: { from: direction === 'forward' ? 'head' : 'end' },
  counted: null,
});

const filterOf = ({ where }: List): string => hash('sha256', where.identity, 'base64url').slice(0, 12);

function numbers(page: Page<object>, walk: Walk, limit: number): { current_page: number; total_pages: number } {
  if (limit === 0) return { current_page: 1, total_pages: 0 };
  const pages = Math.ceil(page.total / limit);
  const current = walk === 'forward' ? Math.floor(page.before / limit) + 1 : pages - Math.floor(page.after / limit);
  return { current_page: Math.max(1, Math.min(current, Math.max(1, pages))), total_pages: pages };
}
