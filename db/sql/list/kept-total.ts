import type { Queryable } from '../../connect.ts';
import type { List } from './list.ts';
import type { Where } from './where.ts';

type CountedList = 'customer' | 'contract' | 'contract_of_plan' | 'invoice' | 'event' | 'usage_event';

/** SQL: parameters are the vendor, the list, and its parts or null for all. */
const KEPT_COUNT = `
  select coalesce((select sum(c.n) from list_count c
      where c.vendor_id = $1 and c.list = $2 and ($3::text[] is null or c.part = any($3))), 0)
    + coalesce((select sum(d.n) from list_count_change d
      where d.vendor_id = $1 and d.list = $2 and ($3::text[] is null or d.part = any($3))), 0) as n`;
/** Readers of the log see an event only once it is settled up to there; it is counted from then on. */
const SQL_OF_EVENTS = `select kept.n - (
    select count(*) from event e where e.vendor_id = $1 and e.seq > $4 and ($3::text[] is null or e.type = any($3))) as n
  from (${KEPT_COUNT}) kept`;

/** Rows whose number is kept: all of a vendor, or those of some statuses, types or plans. */
interface Kept {
  vendorId: string;
  list: CountedList;
  /** undefined: all */
  parts?: readonly string[] | undefined;
  /** how many filters the parts stand for. Default: one */
  filters?: number;
  /** of the log of events: the number up to which it may be read */
  settled?: string;
}

/** Reads how many they are. SQL: the sum of what was added up and of the changes since. */
async function keptTotal(db: Queryable, { vendorId, list, parts, settled }: Kept): Promise<number> {
  const rows = [vendorId, list, parts ?? null];
  const [row] = await (settled === undefined
    ? db.query<{ n: string }>(KEPT_COUNT, rows)
    : db.query<{ n: string }>(SQL_OF_EVENTS, [...rows, settled]));
  return Number(row?.n ?? 0);
}

/**
 * The total of a list that shows just these rows, since its `where` has no other conditions; undefined for a list with
 * more filters, which has to be counted.
 */
export function totalIfKept(where: Where, kept: Kept): List['total'] {
  const conditions = (kept.settled === undefined ? 1 : 2) + (kept.parts === undefined ? 0 : (kept.filters ?? 1));
  return where.length === conditions ? (db) => keptTotal(db, kept) : undefined;
}

/** The part that a filter of one value names. */
export const onlyPart = (part: string | undefined): string[] | undefined => (part === undefined ? undefined : [part]);
