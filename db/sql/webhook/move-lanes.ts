import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp, stampOrNull } from '../../rows.ts';
import { WANTED } from './wanted.ts';

/** What became of a lane: how far it was delivered, and the failure that stopped it. */
export interface LaneOutcome {
  lane: string;
  /** the event that the lane began with when it was read; another one now: somebody else has changed it */
  eventSeq: string;
  /** how often it was asked for by then; more now: it is sent again */
  asked: number;
  /** the object's sequence up to which everything was delivered */
  delivered: number;
  failed: { seq: string; sequence: number; attempts: number; failures: number; failingSince: Instant; nextTry: Instant } | null;
}

/**
 * Moves lanes on: behind what was delivered, or to the event that has failed. One that has nothing more to send is
 * gone. The endpoint's row is locked, so that no event is added meanwhile. SQL, because one statement does it for all
 * lanes of a round.
 */
export async function moveLanes(tx: Queryable, endpointId: string, outcomes: readonly LaneOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(({ lane, eventSeq, asked, delivered, failed }) => ({
    lane,
    event_seq: eventSeq,
    asked,
    delivered,
    failed_seq: failed?.seq ?? null,
    failed_sequence: failed?.sequence ?? null,
    attempts: failed?.attempts ?? 0,
    failures: failed?.failures ?? 0,
    failing_since: stampOrNull(failed?.failingSince),
    next_try: failed === null ? null : stamp(failed.nextTry),
  }));
  await tx.query(
    `with given as (
       select x.*, b.object_id from jsonb_to_recordset($2::jsonb) as x(lane text, event_seq bigint, asked int, delivered int,
         failed_seq bigint, failed_sequence int, attempts int, failures int, failing_since timestamptz, next_try timestamptz)
       join webhook_backlog b on b.endpoint_id = $1 and b.lane = x.lane and b.event_seq = x.event_seq and b.asked = x.asked
     ), placed as (
       select g.*, coalesce(g.failed_seq, n.seq) as head_seq, coalesce(g.failed_sequence, n.object_sequence) as head_sequence
       from given g left join lateral (
         select e.seq, e.object_sequence from event e join webhook_endpoint w on w.id = $1
         where g.failed_seq is null and g.lane = g.object_id and e.object_id = g.object_id and e.object_sequence > g.delivered
           and e.seq <= w.read_seq and ${WANTED}
         order by e.object_sequence limit 1
       ) n on true
     ), gone as (
       delete from webhook_backlog b using placed p where b.endpoint_id = $1 and b.lane = p.lane and p.head_seq is null
     )
     update webhook_backlog b set event_seq = p.head_seq, object_sequence = p.head_sequence, attempts = p.attempts, failures = p.failures,
       failing_since = p.failing_since, next_try = coalesce(p.next_try, clock_timestamp())
     from placed p where b.endpoint_id = $1 and b.lane = p.lane and p.head_seq is not null`,
    [endpointId, JSON.stringify(rows)],
  );
}
