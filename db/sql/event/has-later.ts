import type { Queryable } from '../../connect.ts';

/** Whether a vendor's logs show something behind a number. SQL: two looks at the end of an index. */
export async function hasLater(db: Queryable, vendorId: string, seq: string): Promise<boolean> {
  const [row] = await db.query<{ later: boolean }>(
    `select exists (select 1 from event e where e.vendor_id = $1 and e.seq > $2)
       or exists (select 1 from audit a where a.vendor_id = $1 and a.seq > $2) as later`,
    [vendorId, seq],
  );
  return row?.later ?? false;
}
