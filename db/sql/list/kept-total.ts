import type { Queryable } from '../../connect.ts';
import { COMMITTED_BEFORE } from '../event/committed.ts';
import type { List } from './list.ts';
import type { Where } from './where.ts';

type CountedTable = 'customer' | 'contract' | 'invoice' | 'event' | 'usage_event';

const sqlFor = (changes: string): string => `
  select coalesce((select c.n from list_count c where c.vendor_id = $1 and c.list = $2), 0)
    + coalesce((select sum(d.n) from list_count_change d where d.vendor_id = $1 and d.list = $2 and ${changes}), 0) as n`;
const SQL = sqlFor('true');
/** Readers of the log see an event only when no older transaction is open any more; it is counted from then on. */
const SQL_OF_EVENTS = sqlFor(`d.xid < ${COMMITTED_BEFORE}`);

/** Reads how many rows a vendor has in a table. SQL: the sum of what was added up and of the changes since. */
async function keptTotal(db: Queryable, vendorId: string, table: CountedTable): Promise<number> {
  const [row] = await db.query<{ n: string }>(table === 'event' ? SQL_OF_EVENTS : SQL, [vendorId, table]);
  return Number(row?.n ?? 0);
}

/**
 * The total of a list whose `where` has no more conditions than the plain list of all the vendor's rows; undefined for
 * a filtered list, which has to be counted.
 */
export function totalIfPlain(where: Where, vendorId: string, table: CountedTable): List['total'] {
  const plain = table === 'event' ? 2 : 1;
  return where.length === plain ? (db) => keptTotal(db, vendorId, table) : undefined;
}
