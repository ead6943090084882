import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { Where } from './where.ts';

/** A list in ascending order of an instant and an id, or of a number that only one row has. */
export interface List {
  /** e.g. `customer` or `invoice join …` */
  from: string;
  /** What is counted: `from` without tables that are joined for their columns alone. Default: `from`. */
  counted?: string;
  select: string;
  at: string;
  /** `at` is a bigint, not an instant, and no two rows have the same: the order is by it alone, as an index has it. */
  serial?: boolean;
  id: string;
  /**
   * The bytes of what callers wrote into a row `r`, up to a megabyte: a page has fewer rows where they are long.
   * Absent: none is.
   */
  bytes?: string;
  /** An index has `at` but not `id`, which is computed: a page begins at the position's `at`. */
  startsAt?: boolean;
  where: Where;
  /** The same rows by conditions that an index alone can decide, for counting them. Default: `where`. */
  counting?: Where | undefined;
  /** Where the number of hits is kept: reads it, so that it isn't counted over all rows. */
  total?: ((db: Queryable) => Promise<number>) | undefined;
}

export interface Position {
  at: number | string;
  id: string;
}

/** SQL: a row's place compared with a position; adds the position's parameters to `where`. */
export function comparedWith(list: List, sign: '<' | '<=' | '>', { at, id }: Position, where: Where): string {
  if (list.serial === true) return `${list.at} ${sign} ${where.param(String(at))}::bigint`;
  const [place, key] = [`${where.param(stamp(Number(at)))}::timestamptz`, where.param(id)];
  const begins = list.startsAt === true ? `${list.at} ${sign === '>' ? '>=' : '<='} ${place} and ` : '';
  return `${begins}(${list.at}, ${list.id}) ${sign} (${place}, ${key})`;
}

/** SQL: the order of a list, from its head (`asc`) or from its end. */
export const orderOf = ({ at, id, serial }: List, direction: 'asc' | 'desc'): string =>
  serial === true ? `${at} ${direction}` : `${at} ${direction}, ${id} ${direction}`;
