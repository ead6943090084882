import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';

/** How well events come through to an endpoint. */
export interface EndpointHealth {
  endpointId: string;
  /** objects whose next event was refused, 1,000 at the utmost */
  failing: number;
  failingSince: Instant | null;
  nextTry: Instant | null;
  /** the event that has failed for longest, and how its last try ended */
  eventId: string | null;
  statusCode: number | null;
  error: string | null;
}

/**
 * The health of some endpoints of a vendor. SQL, because one statement looks at the first waiting rows of each of them,
 * by the index of those that have failed.
 */
export const endpointHealth = (db: Queryable, vendorId: string, ids: readonly string[]): Promise<EndpointHealth[]> =>
  db.query<EndpointHealth>(
    `select w.id as "endpointId", waiting.failing, waiting."nextTry", longest.failing_since as "failingSince", longest.id as "eventId",
       last.status_code as "statusCode", last.error
     from webhook_endpoint w
     cross join lateral (
       select count(*)::int as failing, min(f.next_try) as "nextTry"
       from (select b.next_try from webhook_backlog b where b.endpoint_id = w.id and b.failures > 0 limit 1000) f
     ) waiting
     left join lateral (
       select b.failing_since, e.id from webhook_backlog b join event e on e.vendor_id = w.vendor_id and e.seq = b.event_seq
       where b.endpoint_id = w.id and b.failures > 0 order by b.failing_since limit 1
     ) longest on true
     left join lateral (
       select t.status_code, t.error from webhook_try t where t.endpoint_id = w.id and t.event_id = longest.id order by t.id desc limit 1
     ) last on true
     where w.vendor_id = $1 and w.id = any($2::text[])`,
    [vendorId, ids],
  );
