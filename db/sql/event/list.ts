import { onlyPart, totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { EVENT_COLUMNS } from '../webhook/read-news.ts';

/**
 * The log in the order in which it was written. SQL, as all list pages are.
 *
 * @param settled the number up to which the log may be read
 * @param filter `behind`: only events with a higher number
 */
export function eventList(
  vendorId: string,
  settled: string,
  filter: { type?: string | undefined; object?: string | undefined; behind?: string | undefined },
): List {
  const where = new Where()
    .and('e.vendor_id = ?', vendorId)
    .andMoving('e.seq <= ?', settled)
    .andGiven('e.type = ?', filter.type)
    .andGiven('e.object_id = ?', filter.object)
    .andGiven('e.seq > ?', filter.behind);
  return {
    from: 'event e',
    select: EVENT_COLUMNS,
    at: 'e.seq',
    serial: true,
    id: 'e.id',
    where,
    total: totalIfKept(where, { vendorId, list: 'event', parts: onlyPart(filter.type), settled }),
  };
}
