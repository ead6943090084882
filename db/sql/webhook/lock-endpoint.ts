import type { Queryable } from '../../connect.ts';
import type { EndpointStatus, FormerSecret } from '../../entities/webhook.ts';

/** What delivering needs of an endpoint. */
export interface DeliveringEndpoint {
  id: string;
  vendorId: string;
  url: string;
  types: string[];
  status: EndpointStatus;
  /** sealed */
  secret: string;
  formerSecrets: FormerSecret[];
  readSeq: string;
  /** what has failed before it was opened is made due, before anything is sent */
  opens: boolean;
}

const COLUMNS = `w.id, w.vendor_id as "vendorId", w.url, w.types, w.status, w.secret,
  w.former_secrets as "formerSecrets", w.read_seq::text as "readSeq", w.opens`;

/** The settled log has events behind the place up to which it was read for the endpoint. */
interface News {
  hasNews: boolean;
}

/**
 * An endpoint as its workflow looks at it. While it looks again and again it needs no message. SQL: several times a
 * second.
 *
 * @param busyMs milliseconds within which it looks again
 */
export async function lookAtEndpoint(db: Queryable, id: string, busyMs: number): Promise<(DeliveringEndpoint & News) | null> {
  const [row] = await db.query<DeliveringEndpoint & News>(
    `with busy as (
       update webhook_endpoint set busy_until = clock_timestamp() + $2 * interval '1 millisecond'
       where id = $1 and (busy_until is null or busy_until < clock_timestamp() + $2 * interval '0.5 milliseconds')
     )
     select ${COLUMNS},
       exists (select 1 from event v where v.vendor_id = w.vendor_id and v.seq > w.read_seq and v.seq <= m.settled_seq) as "hasNews"
     from webhook_endpoint w, event_mark m where w.id = $1`,
    [id, busyMs],
  );
  return row ?? null;
}

/**
 * An endpoint, locked until the transaction ends: reading the log, noting tries, pausing and skipping exclude each
 * other.
 * SQL, because several times a second.
 */
export async function lockDelivering(tx: Queryable, id: string): Promise<DeliveringEndpoint | null> {
  const [row] = await tx.query<DeliveringEndpoint>(`select ${COLUMNS} from webhook_endpoint w where w.id = $1 for no key update`, [id]);
  return row ?? null;
}
