import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** An endpoint as it is shown. */
export interface ListedEndpoint {
  id: string;
  url: string;
  types: string[];
  description: string | null;
  status: 'active' | 'paused';
  pausedReason: string | null;
  cursor: string | null;
  created: Instant;
}

/**
 * The last event of the vendor before the first one that the endpoint hasn't got yet. An event that is sent once more
 * doesn't count.
 */
const CURSOR = `(
  select e.id from event e where e.vendor_id = w.vendor_id and e.seq <= w.read_seq
    and e.seq < coalesce((select min(b.event_seq) from webhook_backlog b where b.endpoint_id = w.id and b.lane = b.object_id), w.read_seq + 1)
  order by e.seq desc limit 1)`;
const COLUMNS = `w.id, w.url, w.types, w.description, w.status, w.paused_reason as "pausedReason", w.created, ${CURSOR} as cursor`;

/** The endpoints of a vendor. SQL, as all list pages are. */
export function endpointList(vendorId: string): List {
  const where = new Where().and('w.vendor_id = ?', vendorId).and("w.status <> 'deleted'");
  return { from: 'webhook_endpoint w', select: COLUMNS, at: 'w.created', id: 'w.id', where };
}

/** Endpoints of a vendor as they are shown. SQL, for their cursors. */
export const shownEndpoints = (db: Queryable, vendorId: string, ids: readonly string[]): Promise<ListedEndpoint[]> =>
  db.query<ListedEndpoint>(
    `select ${COLUMNS} from webhook_endpoint w where w.vendor_id = $1 and w.id = any($2::text[]) and w.status <> 'deleted'`,
    [vendorId, ids],
  );

/** A try as it is shown. */
export interface ListedTry {
  id: string;
  event_id: string;
  at: Instant;
  attempt: number;
  status: 'delivered' | 'failed' | 'skipped';
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  answer: string | null;
}

/** The tries of an endpoint, in their order. */
export function tryList(endpointId: string, filter: { event?: string | undefined; status?: string | undefined }): List {
  const where = new Where()
    .and('t.endpoint_id = ?', endpointId)
    .andGiven('t.event_id = ?', filter.event)
    .andGiven('t.status = ?', filter.status);
  return { from: 'webhook_try t', select: 't.*', at: 't.id', serial: true, id: 't.event_id', where };
}
