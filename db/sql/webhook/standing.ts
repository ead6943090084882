import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { EndpointStatus } from '../../entities/webhook.ts';

/** Where an endpoint stands. */
export interface EndpointStanding {
  status: EndpointStatus;
  /** objects that wait after a failure, 1,000 at the utmost */
  failing: number;
  /** when the next of all waiting objects is due */
  nextTry: Instant | null;
  /** the log has settled events that were not read for it */
  hasNews: boolean;
  now: Instant;
}

/** Null: there is no such endpoint. SQL: three looks at once. */
export async function endpointStanding(db: Queryable, endpointId: string): Promise<EndpointStanding | null> {
  const [row] = await db.query<EndpointStanding>(
    `with done as (update webhook_endpoint set busy_until = null where id = $1 returning id)
     select w.status, clock_timestamp() as now,
       (select count(*)::int from (select 1 from webhook_backlog b where b.endpoint_id = w.id and b.failures > 0 limit 1000) waiting) as failing,
       case when w.opens then now() else (select min(b.next_try) from webhook_backlog b where b.endpoint_id = w.id) end as "nextTry",
       exists (select 1 from event v where v.vendor_id = w.vendor_id and v.seq > w.read_seq and v.seq <= m.settled_seq) as "hasNews"
     from webhook_endpoint w join done on done.id = w.id, event_mark m`,
    [endpointId],
  );
  return row ?? null;
}
