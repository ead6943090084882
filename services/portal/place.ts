import type { Instant } from '../../billing/calendar/instant.ts';

/** The row behind which a list goes on; lists are newest first. */
export interface Place {
  at: Instant;
  id: string;
}

/** Rows of one page of a list. */
export const PAGE_ROWS = 25;

/** A page of a list; `next` is null on its last page. */
export interface PortalPage<Row> {
  rows: Row[];
  next: Place | null;
}

const PLACE = /^(\d{1,15})\.([A-Za-z]{1,10}_[0-9a-f-]{36})$/;

/** The end of the year 9999: Postgres reads no later instant as we write it. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A place as it stands in an address. */
export const placeText = ({ at, id }: Place): string => `${at}.${id}`;

/** The place that an address names; null for none, and for what is no place, which shows the head of the list. */
export function placeFrom(text: unknown): Place | null {
  const [, at, id] = PLACE.exec(typeof text === 'string' ? text : '') ?? [];
  return at === undefined || id === undefined || Number(at) > LATEST ? null : { at: Number(at), id };
}

/** Rows behind a place, as a filter of a find. The first condition lets Postgres read from there on in the index. */
export const behind = (column: string, place: Place | null): Record<string, unknown> =>
  place === null ? {} : { [column]: { $lte: place.at }, $or: [{ [column]: { $lt: place.at } }, { id: { $lt: place.id } }] };

/** Newest first. */
export const byPlace = (one: Place, other: Place): number => other.at - one.at || (one.id < other.id ? 1 : -1);

/** One page of rows of which one more than a page was read. */
export function cutToPage<Row>(found: readonly Row[], rows: number, placeOf: (row: Row) => Place): PortalPage<Row> {
  const page = found.slice(0, rows);
  const last = page.at(-1);
  return { rows: page, next: found.length > rows && last !== undefined ? placeOf(last) : null };
}
