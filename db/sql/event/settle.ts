import type { Queryable } from '../../connect.ts';

/** How far the log may be read. */
export interface SettledLog {
  /** every event and every entry of the audit log up to this number is committed, or never will be */
  settled: string;
  /** the last number that was given out */
  last: string;
  /** whether some vendor has an endpoint, for which the log is watched */
  isWatched: boolean;
}

/** Numbers that are compared in one step. */
const AT_ONCE = 1_000;

/**
 * The settled number, the last one, and `whole`: up to which number each one behind the settled one has its committed
 * row. `isMarked`: the mark waits for older transactions. A mark whose transaction id lies in the future came with a
 * backup of another server and doesn't count.
 */
const LOOK = `
  select m.settled_seq::text as settled, (case when s.is_called then s.last_value else 0 end)::text as last,
    m.settled_seq < m.seq and m.xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "isMarked",
    exists (select 1 from webhook_endpoint) as "isWatched",
    (select max(seq) from (
       select seq, row_number() over (order by seq nulls first) as nth from (
         (select e.seq from event e where e.seq > m.settled_seq order by e.seq nulls first limit ${AT_ONCE})
         union all (select a.seq from audit a where a.seq > m.settled_seq order by a.seq nulls first limit ${AT_ONCE})
         order by seq nulls first limit ${AT_ONCE}
       ) numbered
     ) behind where seq = m.settled_seq + nth)::text as whole
  from event_mark m, event_seq_seq s`;

/**
 * Finds out how far the log is settled: every event up to that number is committed or never will be, so a reader that
 * goes on from there misses nothing. The numbers alone don't say so, since a transaction may commit long after others
 * that took later numbers.
 *
 * Usually no number is missing, and then nothing can come in between. A number that is missing belongs to a transaction
 * that runs or was rolled back. To tell which, the last number that was given out is read, then the mark takes a
 * transaction id of its own. Each transaction that had a number by then has a smaller id: the column `xid` of both logs
 * is made before `seq`. Once no smaller id is running, the log is settled up to the mark; a later call finds it.
 *
 * SQL, because it is about transactions and a sequence. An idle log costs one read. `nulls first` is the order of the
 * index of all numbers.
 */
export async function settleLog(db: Queryable): Promise<SettledLog> {
  const [now] = await db.query<SettledLog & { isMarked: boolean; whole: string | null }>(LOOK);
  if (now === undefined) throw new Error('the log has no mark');
  const { last, isWatched } = now;
  if (BigInt(now.settled) >= BigInt(last)) return { settled: now.settled, last, isWatched };
  const settled = now.whole === null ? now.settled : await settleUpTo(db, now.whole);
  if (BigInt(settled) >= BigInt(last)) return { settled, last, isWatched };
  // a process that has read a smaller number must not move the mark: its own transaction id may be older than that of
  // the mark
  if (!now.isMarked) await db.query('update event_mark set seq = $1, xid = pg_current_xact_id()::text::bigint where seq <= $1', [last]);
  const [marked] = await db.query<{ settled: string }>(
    `update event_mark set settled_seq = seq
     where settled_seq < seq and xid <= pg_snapshot_xmin(pg_current_snapshot())::text::bigint returning settled_seq::text as settled`,
  );
  return { settled: marked?.settled ?? settled, last, isWatched };
}

async function settleUpTo(db: Queryable, whole: string): Promise<string> {
  await db.query('update event_mark set settled_seq = $1 where settled_seq < $1', [whole]);
  return whole;
}
