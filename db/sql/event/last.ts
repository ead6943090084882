import type { Queryable } from '../../connect.ts';

/** The number of a vendor's last event; 0 when there is none. SQL: read from the end of an index. */
export async function lastEventSeq(db: Queryable, vendorId: string): Promise<string> {
  const [row] = await db.query<{ seq: string }>('select coalesce(max(seq), 0)::text as seq from event where vendor_id = $1', [vendorId]);
  return row?.seq ?? '0';
}
