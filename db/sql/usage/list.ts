import { stampOrNull } from '../../rows.ts';
import { totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { listedTotal } from './listed-total.ts';
import { sourceOf } from './part.ts';

/** An event as lists show it. */
export interface ListedUsage {
  id: string;
  customer_id: string;
  contract_id: string;
  feature_slug: string;
  units: string;
  /** as reported, when it was amended since */
  original_units: string | null;
  is_absolute: boolean;
  metadata: Record<string, string>;
  timestamp: number;
  arrived_at: number;
  period_idx: number;
  discarded_at: number | null;
  /** a later marker of its period, or of one that it goes on in, made it count no more */
  superseded: boolean;
  notes: string | null;
}

/** SQL: the columns of the event `e`. */
export const USAGE_COLUMNS = `e.id, e.customer_id, e.contract_id, e.feature_slug, e.units, e.is_absolute, e.metadata, e.timestamp, e.arrived_at, e.period_idx, e.discarded_at,
  (select h.units_before from usage_event_history h where h.event_id = e.id order by h.id limit 1) as original_units,
  (select h.notes from usage_event_history h where h.event_id = e.id order by h.id desc limit 1) as notes,
  exists (select from usage_event m where m.contract_id = e.contract_id and m.period_idx = e.period_idx and m.feature_slug = e.feature_slug
    and m.is_absolute and m.discarded_at is null and (m.timestamp > e.timestamp or (e.is_absolute and m.timestamp = e.timestamp and m.seq > e.seq))
  ) or exists (
    with recursive later as (
      select n.contract_id, n.idx, n.goes_on from usage_period p join usage_period n on n.follows_contract_id = p.contract_id and n.follows_idx = p.idx
      where p.contract_id = e.contract_id and p.idx = e.period_idx and p.goes_on @> ${sourceOf('e.feature_slug')}
      union all
      select n.contract_id, n.idx, n.goes_on from later join usage_period n on n.follows_contract_id = later.contract_id and n.follows_idx = later.idx
      where later.goes_on @> ${sourceOf('e.feature_slug')}
    )
    select from later join usage_event m on m.contract_id = later.contract_id and m.period_idx = later.idx and m.feature_slug = e.feature_slug
    where m.is_absolute and m.discarded_at is null
  ) as superseded`;

interface UsageFilter {
  customer?: string | undefined;
  contract?: string | undefined;
  feature?: string | undefined;
  /** from this instant on */
  from?: number | undefined;
  /** up to this instant, which isn't included */
  to?: number | undefined;
}

/**
 * The usage events of a vendor. SQL, as all list pages are.
 *
 * @param owner the customer of the contract that is asked for; undefined where the vendor has no such contract
 */
export function usageList(vendorId: string, filter: UsageFilter, owner?: string): List {
  const where = rowsOf(vendorId, filter, owner);
  return {
    from: 'usage_event e',
    select: USAGE_COLUMNS,
    at: 'e.timestamp',
    id: 'e.id',
    where,
    counting: countingOf(vendorId, filter),
    total: totalIfKept(where, { vendorId, table: 'usage_event' }) ?? totalOfAllTimes(vendorId, filter),
  };
}

/** Counters keep the number of events, but not of those between two instants. */
const totalOfAllTimes = (vendorId: string, { from, to, ...of }: UsageFilter): List['total'] =>
  from === undefined && to === undefined ? (db) => listedTotal(db, vendorId, of) : undefined;

/**
 * One condition by which Postgres takes the rows for few or many, that of the index that has their order. It takes the
 * vendor, the customer and the contract of an event for independent of each other, and so a customer's many events for
 * so few that it would read and sort all of them for each page.
 */
function rowsOf(vendorId: string, { customer, contract, ...others }: UsageFilter, owner: string | undefined): Where {
  const whose = contract === undefined ? customer : owner;
  const ofVendor = new Where().and('e.vendor_id = ?', vendorId);
  if (contract === undefined && customer === undefined) return withFilter(ofVendor, others);
  if (whose === undefined || (customer !== undefined && customer !== whose)) return ofVendor.and('false');
  const where = new Where().and('(select o.vendor_id from customer o where o.id = ?) = ?', whose, vendorId);
  return withFilter(where, { customer: whose, ...others }).andGiven('coalesce(e.contract_id = ?, false)', contract);
}

/** Whose contract or customer it is, is looked up once and not in each row: then an index has all that is counted. */
function countingOf(vendorId: string, filter: UsageFilter): Where | undefined {
  const [table, id] = filter.contract !== undefined ? ['contract', filter.contract] : ['customer', filter.customer];
  if (id === undefined) return undefined;
  return withFilter(new Where().and(`(select o.vendor_id from ${table} o where o.id = ?) = ?`, id, vendorId), filter);
}

const withFilter = (where: Where, filter: UsageFilter): Where =>
  where
    .andGiven('e.customer_id = ?', filter.customer)
    .andGiven('e.contract_id = ?', filter.contract)
    .andGiven('e.feature_slug = ?', filter.feature)
    .andGiven('e.timestamp >= ?::timestamptz', stampOrNull(filter.from))
    .andGiven('e.timestamp < ?::timestamptz', stampOrNull(filter.to));
