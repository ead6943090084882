import { z } from 'zod';
import { countInQuery } from './common.ts';

const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

/** The parameters every list takes. */
export const pagingQuery = {
  limit: countInQuery(0, MAX_LIMIT).optional(),
  offset: z.string().min(1).max(500).optional().meta({ description: 'a cursor from a previous answer' }),
  direction: z.enum(['forward', 'backward']).optional().meta({ description: 'forward: first to last; backward: last to first' }),
};

/** A list without filters. */
export const PageQuery = z.strictObject(pagingQuery);

export interface PagingQuery {
  readonly limit?: number | undefined;
  readonly offset?: string | undefined;
  readonly direction?: 'forward' | 'backward' | undefined;
}

const Cursor = z.string().nullable();

/** A page of a list; its hits are always in ascending order of creation. */
export const paginated = <S extends z.ZodType>(hit: S, id: string) =>
  z
    .object({
      current_page: z.int(),
      hits: z.array(hit),
      total: z.int(),
      total_pages: z.int(),
      backward: Cursor.meta({ description: 'cursor of the previous page' }),
      first: Cursor.meta({ description: 'cursor of the first page' }),
      forward: Cursor.meta({ description: 'cursor of the next page' }),
      last: Cursor.meta({ description: 'cursor of the last page' }),
    })
    .meta({ id });
