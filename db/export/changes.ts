import type { Queryable } from '../connect.ts';
import { type ExportPlace, readChanged } from '../sql/export/read-changed.ts';
import { type ExportedRow, readRows } from '../sql/export/read-rows.ts';
import type { ExportNoun } from './nouns.ts';

/** Places that are kept at once: a table whose rows change often is looked through once for so many. */
const PLACES = 20_000;
/** Rows that are read at once. */
const ROWS = 500;
/** Transactions of the first window. Later ones are as wide as fills about `PLACES`. */
const FIRST_WIDTH = 1_000n;

interface Export {
  noun: ExportNoun;
  vendorId: string;
  after: ExportPlace;
  /** every transaction before this one has ended */
  settled: bigint;
}

/** Rows in order, and the place up to which all were read. */
export interface ExportPage {
  rows: ExportedRow[];
  upTo: ExportPlace;
}

/**
 * The rows of a vendor that were changed behind a place, each with what it has now, in the order of the transactions
 * that changed them last; within one by id.
 *
 * Nothing is missed: a transaction has ended before its number is passed, and a row that a later transaction changes
 * meanwhile is found at that one's place. So each statement may see the database as it is then, and no transaction
 * stays open while the reader takes its time.
 */
export async function* changesAfter(db: Queryable, { noun, vendorId, after, settled }: Export): AsyncGenerator<ExportPage> {
  let [place, width] = [after, FIRST_WIDTH];
  while (place.xid < settled) {
    const before = endOf(place.xid, width, settled);
    const places = await readChanged(db, { noun, vendorId, after: place, before }, PLACES);
    yield* rowsAt(db, noun, vendorId, places);
    const last = places[PLACES - 1];
    width = widthAfter(width, place, last, places.length);
    place = last ?? { xid: before, id: '' };
  }
  yield { rows: [], upTo: place };
}

async function* rowsAt(db: Queryable, noun: ExportNoun, vendorId: string, places: readonly ExportPlace[]): AsyncGenerator<ExportPage> {
  for (let from = 0; from < places.length; from += ROWS) {
    const some = places.slice(from, from + ROWS);
    const last = some.at(-1);
    if (last !== undefined) yield { rows: await readRows(db, noun, vendorId, some), upTo: last };
  }
}

/** The first window has only what came from another server (`writtenFirst`): no transaction has the number 0. */
function endOf(xid: bigint, width: bigint, settled: bigint): bigint {
  if (xid === 0n) return 1n;
  return xid + width < settled ? xid + width : settled;
}

/** A window that was too full becomes as wide as what it gave; a quarter full or less, twice as wide. */
function widthAfter(width: bigint, place: ExportPlace, last: ExportPlace | undefined, found: number): bigint {
  if (last !== undefined) return last.xid - place.xid + 1n;
  return found > PLACES / 4 ? width : width * 2n;
}
