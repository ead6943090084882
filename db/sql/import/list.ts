import type { Instant } from '../../../billing/calendar/instant.ts';
import type { ImportStatus } from '../../entities/import.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** An import in a list. Lines are counted up to `MOST_LINES_COUNTED`. */
export interface ListedImport {
  id: string;
  status: ImportStatus;
  created: Instant;
  ended: Instant | null;
  /** lines without an outcome */
  waiting: number;
  refused: number;
}

/** A list says whether many lines wait: it doesn't count hundreds of thousands of rows for that. */
export const MOST_LINES_COUNTED = 1_000;

const counted = (which: string): string =>
  `(select count(*)::int from (select 1 from import_line l where l.import_id = i.id and ${which} limit ${MOST_LINES_COUNTED + 1}) n)`;

/** The imports of a vendor. SQL, as all list pages are. */
export const importList = (vendorId: string): List => ({
  from: 'import i',
  select: `i.id, i.status, i.created, i.ended, ${counted(`l.outcome is null and i.status <> 'done'`)} as waiting, ${counted(`l.outcome = 'refused'`)} as refused`,
  at: 'i.created',
  id: 'i.id',
  where: new Where().and('i.vendor_id = ?', vendorId),
});
