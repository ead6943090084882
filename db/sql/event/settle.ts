import type { Queryable } from '../../connect.ts';

/**
 * Finds out how far the log is settled: every event up to that number is committed or never will be, so a reader that
 * goes on from there misses nothing. The numbers alone don't say so, since a transaction may commit long after others
 * that took later numbers.
 *
 * First the last number that was given out is read, then the mark takes a transaction id of its own. Each transaction
 * that had a number by then has a smaller id: the column `xid` of an event is made before its `seq`. Once no smaller id
 * is running, the log is settled up to the mark. Usually that is at once; else a later call finds it.
 *
 * SQL, because it is about transactions and a sequence. An idle log costs one read.
 *
 * @returns the settled number; null where no vendor has an endpoint, so that nobody asks
 */
export async function settleLog(db: Queryable): Promise<string | null> {
  const [now] = await db.query<{ seq: string; settled: string; isMarked: boolean; last: string }>(
    `select m.seq::text as seq, m.settled_seq::text as settled, s.last_value::text as last,
       m.settled_seq < m.seq and m.xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "isMarked"
     from event_mark m, event_seq_seq s where exists (select 1 from webhook_endpoint)`,
  );
  if (now === undefined) return null;
  if (BigInt(now.settled) >= BigInt(now.last)) return now.settled;
  // a mark with an id from the future was brought by a backup of another server
  // nor moved by a process that has read a smaller number: its own id may be older than that of the mark it waited for
  if (!now.isMarked) await db.query('update event_mark set seq = $1, xid = pg_current_xact_id()::text::bigint where seq <= $1', [now.last]);
  const [settled] = await db.query<{ settled: string }>(
    `update event_mark set settled_seq = seq
     where settled_seq < seq and xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint returning settled_seq::text as settled`,
  );
  return settled?.settled ?? now.settled;
}
