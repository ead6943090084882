import type { EventType } from '../../../billing/event-types.ts';
import { onlyPart, totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** An event of the log. */
export interface ListedEvent {
  id: string;
  type: EventType;
  timestamp: number;
  object_id: string;
  object_sequence: number;
  data: Record<string, unknown>;
}

/**
 * The log in the order in which it was written. SQL, as all list pages are.
 *
 * @param settled the number up to which the log may be read
 */
export function eventList(
  vendorId: string,
  settled: string,
  filter: { type?: string | undefined; object?: string | undefined; after?: string | undefined },
): List {
  const where = new Where()
    .and('event.vendor_id = ?', vendorId)
    .and('event.seq <= ?', settled)
    .andGiven('event.type = ?', filter.type)
    .andGiven('event.object_id = ?', filter.object)
    .andGiven('event.seq > (select e.seq from event e where e.vendor_id = event.vendor_id and e.id = ?)', filter.after);
  return {
    from: 'event',
    select: 'event.*',
    at: 'event.seq',
    serial: true,
    id: 'event.id',
    where,
    total: totalIfKept(where, { vendorId, table: 'event', parts: onlyPart(filter.type), settled }),
  };
}
