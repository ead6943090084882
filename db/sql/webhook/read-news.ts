import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';

/** An event as its body is made of it. */
export interface LoggedEvent {
  seq: string;
  id: string;
  vendorId: string;
  type: string;
  timestamp: Instant;
  objectId: string;
  sequence: number;
  data: Record<string, unknown>;
}

/** SQL: the columns of the event `e`. */
export const EVENT_COLUMNS = `e.seq::text as seq, e.id, e.vendor_id as "vendorId", e.type, e.timestamp, e.object_id as "objectId", e.object_sequence as sequence, e.data`;

/**
 * A page of a vendor's settled events behind a number, in order. SQL: the log is read as it was written.
 */
export const readNews = (db: Queryable, vendorId: string, after: string, most: number): Promise<LoggedEvent[]> =>
  db.query<LoggedEvent>(
    `select ${EVENT_COLUMNS} from event e where e.vendor_id = $1 and e.seq > $2 and e.seq <= (select settled_seq from event_mark where id = 1)
     order by e.seq limit $3`,
    [vendorId, after, most],
  );

/** Events of a vendor by their numbers. */
export const eventsBySeq = (db: Queryable, vendorId: string, seqs: readonly string[]): Promise<LoggedEvent[]> =>
  db.query<LoggedEvent>(`select ${EVENT_COLUMNS} from event e where e.vendor_id = $1 and e.seq = any($2::bigint[]) order by e.seq`, [
    vendorId,
    seqs,
  ]);
