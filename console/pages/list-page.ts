import type { Position } from '../../db/sql/list/list.ts';
import { type Html, html } from '../../portal/parts/html.ts';
import { addressWith, pager } from '../../portal/parts/pager.ts';
import { section } from '../../portal/parts/section.ts';
import { type TableColumn, table } from '../../portal/parts/table.ts';
import { placeFrom } from '../../services/portal/place.ts';
import type { Visit } from '../http/visit.ts';

type Rows = Parameters<typeof table>[0]['rows'];

/** The place behind which a list goes on, of the address; null for its head. */
export const placeAsked = ({ query }: Visit): Position | null => placeFrom(query('after'));

/** Links to the other pages of a list that is newest first, with what the list was filtered by. */
export function pagerOf({ t, path, query }: Visit, next: Position | null, filters: readonly string[]): Html | null {
  const asked = Object.fromEntries(filters.map((name) => [name, query(name)]));
  const older = next === null ? null : addressWith(path, { ...asked, after: `${next.at}.${next.id}` });
  const newest = query('after') === '' ? null : addressWith(path, asked);
  return pager({ older, newest, titles: { older: t('list.older'), newest: t('list.newest') } });
}

interface TableParts {
  readonly columns: readonly TableColumn[];
  readonly rows: Rows;
  /** beside the title */
  readonly side?: Html | null;
  /** what the rows come to, above them */
  readonly head?: Html | null;
  readonly foot?: Html | null;
}

/** A section with a table, or with the words for none. */
export function tableSection(
  { t }: Visit,
  id: string,
  title: string,
  { columns, rows, side = null, head = null, foot = null }: TableParts,
): Html {
  const content = rows.length === 0 ? html`<p class="soft">${t('list.none')}</p>` : table({ labelledBy: id, columns, rows });
  return section(id, title, html`${head}${content}${foot}`, side);
}
