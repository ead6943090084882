import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { WANTED } from './wanted.ts';

/** What an endpoint is to get next in a lane: the events of one object in their order, or one that is sent again. */
export interface DueLane {
  lane: string;
  objectId: string;
  /** number of the first event that is to be sent */
  eventSeq: string;
  sequence: number;
  attempts: number;
  /** how often it was asked for by then */
  asked: number;
  failures: number;
  failingSince: Instant | null;
  events: LaneEvent[];
}

export interface LaneEvent {
  seq: string;
  id: string;
  sequence: number;
}

/**
 * Lanes whose time has come, longest waiting first, each with its next events. SQL, because one statement finds them
 * all.
 *
 * @param busy lanes that are being sent now
 */
export const dueLanes = (
  db: Queryable,
  endpointId: string,
  busy: readonly string[],
  { most, events }: { most: number; events: number },
): Promise<DueLane[]> =>
  db.query<DueLane>(
    `select b.lane, b.object_id as "objectId", b.event_seq::text as "eventSeq", b.object_sequence as sequence, b.attempts, b.asked,
       b.failures, b.failing_since as "failingSince", coalesce(next.events, '[]') as events
     from webhook_endpoint w
     cross join lateral (
       select * from webhook_backlog b where b.endpoint_id = w.id and b.next_try <= (select clock_timestamp()) and b.lane <> all($2::text[])
       order by b.next_try, b.event_seq limit $3
     ) b
     left join lateral (
       select jsonb_agg(jsonb_build_object('seq', n.seq::text, 'id', n.id, 'sequence', n.object_sequence) order by n.object_sequence) as events
       from (
         select e.seq, e.id, e.object_sequence from event e
         where e.object_id = b.object_id and e.object_sequence >= b.object_sequence
           and case when b.lane = b.object_id then e.seq <= w.read_seq and ${WANTED} else e.seq = b.event_seq end
         order by e.object_sequence limit $4
       ) n
     ) next on true
     where w.id = $1 and w.status = 'active'`,
    [endpointId, busy, most, events],
  );
