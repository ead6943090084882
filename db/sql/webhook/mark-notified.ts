import type { Queryable } from '../../connect.ts';

/** SQL: the vendor of the endpoint `e` has events of which its workflow doesn't know. */
const IS_NEW = `e.status <> 'deleted' and (e.busy_until is null or e.busy_until < clock_timestamp()) and exists (
  select 1 from event v where v.vendor_id = e.vendor_id and v.seq > greatest(e.read_seq, e.notified_seq) and v.seq <= $1)`;

/** Whether there is such an endpoint: a read, so that an idle log costs no write. */
export async function hasNews(db: Queryable, settled: string): Promise<boolean> {
  const [row] = await db.query<{ news: boolean }>(`select exists (select 1 from webhook_endpoint e where ${IS_NEW}) as news`, [settled]);
  return row?.news ?? false;
}

/**
 * Endpoints whose vendors have events of which their workflows don't know, marked as notified of them. SQL, because one
 * statement looks at all endpoints and leaves out those another process is marking.
 *
 * @param settled the number up to which the log is settled
 * @returns their ids, `most` at the utmost
 */
export async function markNotified(db: Queryable, settled: string, most: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `update webhook_endpoint w set notified_seq = $1 where w.id in (
       select e.id from webhook_endpoint e where ${IS_NEW} order by e.id limit $2 for no key update of e skip locked
     ) returning w.id`,
    [settled, most],
  );
  return rows.map(({ id }) => id);
}
