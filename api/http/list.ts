import type { List } from '../../db/sql/list/list.ts';
import type { PagingQuery } from '../schema/paging.ts';
import { type Paginated, paginate } from './cursor.ts';
import type { ApiDependencies } from './dependencies.ts';

/** One page of a vendor's list, its rows as JSON. */
export async function listPage<R extends object, H>(
  { db, cursors }: Pick<ApiDependencies, 'db' | 'cursors'>,
  name: string,
  vendor: string,
  list: List,
  query: PagingQuery,
  toWire: (row: R) => H,
): Promise<Paginated<H>> {
  const page = await paginate<R>(db, cursors, `${name}:${vendor}`, list, query);
  return { ...page, hits: page.hits.map(toWire) };
}
