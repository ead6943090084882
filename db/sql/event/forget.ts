import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** SQL: when an event was published, by the wall clock: its `timestamp` may be that of a test clock. */
const PUBLISHED = `uuid_extract_timestamp(substr(e.id, 5)::uuid)`;

/**
 * SQL: the first event of a vendor that some endpoint, also a paused one, has not got yet; it and all behind it stay.
 * What is sent once more on request counts too.
 */
const neededBy = (vendor: string): string => `(
  select coalesce(min(least(w.read_seq + 1, (select min(b.event_seq) from webhook_backlog b where b.endpoint_id = w.id))), 9223372036854775807)
  from webhook_endpoint w where w.vendor_id = ${vendor} and w.status <> 'deleted')`;
const SETTLED = '(select settled_seq from event_mark where id = 1)';

/** Up to `most` vendors whose first event may be deleted. SQL: one look at the beginning of each log. */
export async function vendorsToForget(db: Queryable, before: number, most: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select v.id from vendor v cross join lateral (select * from event e where e.vendor_id = v.id order by e.seq limit 1) e
     where ${PUBLISHED} < $1::timestamptz and e.seq <= ${SETTLED} and e.seq < ${neededBy('v.id')} limit $2`,
    [stamp(before), most],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks the endpoints of a vendor, so that none is meanwhile set back to an earlier event.
 *
 * @returns false where another transaction has one of them: nobody waits
 */
export async function holdEndpoints(tx: Queryable, vendorId: string): Promise<boolean> {
  const of = `from webhook_endpoint where vendor_id = $1 and status <> 'deleted'`;
  const held = await tx.query(`select 1 ${of} for share skip locked`, [vendorId]);
  const [all] = await tx.query<{ count: string }>(`select count(*) ${of}`, [vendorId]);
  return held.length === Number(all?.count);
}

/**
 * Deletes the first events of a vendor's log, up to `most`: those published before an instant, and no further than the
 * first that has to stay. Their bodies go too. What only the log knows of them stays: the entry of the audit log, and
 * the last number of an object that has no later event. SQL, because all of it must be one statement.
 *
 * @returns how many
 */
export async function forgetEvents(tx: Queryable, vendorId: string, before: number, most: number): Promise<number> {
  const [row] = await tx.query<{ count: string }>(
    `with page as (
       select e.seq, ${PUBLISHED} < $2::timestamptz and e.seq <= ${SETTLED} and e.seq < ${neededBy('$1')} as goes
       from event e where e.vendor_id = $1 order by e.seq limit $3
     ), gone as (
       delete from event e using page p where e.seq = p.seq and p.seq < coalesce((select min(seq) from page where not goes), 9223372036854775807)
       returning e.*
     ), bodies as (
       delete from event_body b using gone g where b.event_seq = g.seq
     ), skips as (
       delete from webhook_skip s using webhook_endpoint w, gone g where w.vendor_id = $1 and s.endpoint_id = w.id and s.event_seq = g.seq
     ), entries as (
       insert into audit (xid, id, seq, vendor_id, at, caller_type, caller_id, action, object_id, before, after)
       select e.xid, 'Audit_' || substr(e.id, 5), e.seq, e.vendor_id, ${PUBLISHED}, e.caller_type, e.caller_id, substr(e.type, 4), e.object_id, null, e.data
       from gone e where e.caller_type = 'system'
     ), numbers as (
       insert into event_count as c (object_id, sequence)
       select g.object_id, max(g.object_sequence) from gone g
       where not exists (select 1 from event l where l.object_id = g.object_id and l.seq > (select max(seq) from gone)) group by 1
       on conflict (object_id) do update set sequence = greatest(c.sequence, excluded.sequence)
     ), start as (
       insert into event_log_start (vendor_id, seq, last_id) select e.vendor_id, e.seq, e.id from gone e order by e.seq desc limit 1
       on conflict (vendor_id) do update set seq = excluded.seq, last_id = excluded.last_id
     )
     select count(*) from gone`,
    [vendorId, stamp(before), most],
  );
  return Number(row?.count ?? 0);
}
