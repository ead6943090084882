import { z } from 'zod';
import { countInQuery } from './common.ts';

const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

/** The query parameters of every list. */
export const pagingQuery = {
  limit: countInQuery(0, MAX_LIMIT).optional().describe('Highest number of hits on a page; 20 unless given, 0 for the total alone.'),
  offset: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'A cursor from an earlier response of the same list, unchanged; it includes the direction. Absent: begins at the end that `direction` names.',
    ),
  direction: z
    .enum(['forward', 'backward'])
    .optional()
    .describe(
      'Where a list without a cursor begins: forward (the default) at its first hits, backward at its last hits. The order of hits within a page is always the same.',
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

/** A page of a list, whose hits are in ascending order. */
export const paginated = <S extends z.ZodType>(hit: S, id: string) =>
  z
    .object({
      current_page: z.int().describe('Number of this page, from 1.'),
      hits: z.array(hit).describe('The entries of this page, in ascending order: by creation unless the list has another order.'),
      total: z
        .int()
        .describe(
          'How many hits all pages have together; on later pages of a filtered list of more than 1,000 hits, as the first page counted.',
        ),
      total_pages: z.int().describe('How many pages there are at this `limit`; 0 when it is 0.'),
      backward: Cursor.describe('Cursor of the previous page; null on the first page.'),
      first: Cursor.describe('Cursor of the first page; null when there are no hits or `limit` is 0.'),
      forward: Cursor.describe('Cursor of the next page; null on the last page.'),
      last: Cursor.describe('Cursor of the last page; null when there are no hits or `limit` is 0.'),
    })
    .meta({ id, description: 'One page of a list, with cursors to the others.' });
