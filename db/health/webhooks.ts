import type { Queryable } from '../connect.ts';
import { FINDINGS_READ } from './most-findings.ts';

/** Endpoints that need a workflow: all that weren't deleted, the paused ones too, since bodies are made meanwhile. */
export async function endpointsThatNeedAWorkflow(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`select id from webhook_endpoint where status <> 'deleted' order by id`);
  return rows.map(({ id }) => id);
}

/** An endpoint that has not got an event for a long time. */
export interface LateEndpoint {
  id: string;
  minutes: number;
}

/** SQL: when an event was published, by its id: its `timestamp` may be that of a test clock. */
export const PUBLISHED = `to_timestamp(('x' || lpad(replace(substr(e.id, 5, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000.0)`;

/**
 * Active endpoints that have not got an event which is some minutes old, the latest first. SQL: each looks at its first
 * event.
 */
export const lateEndpoints = (db: Queryable, afterMinutes: number): Promise<LateEndpoint[]> =>
  db.query<LateEndpoint>(
    `select w.id, floor(extract(epoch from clock_timestamp() - late.at) / 60)::int as minutes
     from webhook_endpoint w cross join lateral (
       select min(waiting.at) as at from (
         (select b.failing_since as at from webhook_backlog b where b.endpoint_id = w.id and b.failing_since is not null order by b.failing_since limit 1)
         union all
         (select ${PUBLISHED} from event e where e.vendor_id = w.vendor_id and e.seq > w.read_seq order by e.seq limit 1)
       ) waiting
     ) late
     where w.status = 'active' and late.at < clock_timestamp() - make_interval(mins => $1)
     order by late.at limit ${FINDINGS_READ}`,
    [afterMinutes],
  );
