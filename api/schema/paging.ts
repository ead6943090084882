import { z } from 'zod';
import { countInQuery } from './common.ts';

const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

/** The parameters every list takes. */
export const pagingQuery = {
  limit: countInQuery(0, MAX_LIMIT).optional().describe('How many hits a page has at most; 20 unless given, 0 asks for the total alone.'),
  offset: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'A cursor from a previous answer of the same list, unchanged; it knows which way it leads. Absent: begins at the end that `direction` names.',
    ),
  direction: z
    .enum(['forward', 'backward'])
    .optional()
    .describe(
      'Where a list without a cursor begins: forward (the default) at its first hits, backward at its last. Hits within a page keep their order.',
    ),
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
      current_page: z.int().describe('Number of this page, from 1.'),
      hits: z.array(hit).describe('What this page holds, in ascending order: by creation where the list says nothing else.'),
      total: z.int().describe('How many hits all pages have together.'),
      total_pages: z.int().describe('How many pages there are at this `limit`; 0 where that is 0.'),
      backward: Cursor.describe('Cursor of the previous page; null where nothing comes before.'),
      first: Cursor.describe('Cursor of the first page; null when there are no hits or `limit` is 0.'),
      forward: Cursor.describe('Cursor of the next page; null where nothing comes after.'),
      last: Cursor.describe('Cursor of the last page; null when there are no hits or `limit` is 0.'),
    })
    .meta({ id, description: 'One page of a list; the cursors lead to the others.' });
