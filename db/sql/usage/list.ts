import { stampOrNull } from '../../rows.ts';
import { onlyPart, totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import type { EventsOfContract } from './events-of-contract.ts';
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
  /** null: one that the vendor doesn't have */
  contract?: EventsOfContract | null | undefined;
  feature?: string | undefined;
  /** from this instant on */
  from?: number | undefined;
  /** up to this instant, which isn't included */
  to?: number | undefined;
}

/** The usage events of a vendor. SQL, as all list pages are. */
export function usageList(vendorId: string, filter: UsageFilter): List {
  const { contract } = filter;
  const customer = contract === undefined ? filter.customer : contract?.customerId;
  const list = {
    from: 'usage_event e',
    select: USAGE_COLUMNS,
    at: 'e.timestamp',
    id: 'e.id',
    bytes: 'octet_length(r.metadata::text) + coalesce(octet_length(r.notes), 0)',
  };
  const where = new Where().and('e.vendor_id = ?', vendorId);
  if (contract === null || (filter.customer !== undefined && filter.customer !== customer))
    return { ...list, where: where.and('false'), total: async () => 0 };
  if (customer !== undefined)
    return {
      ...list,
      where: ofCustomer(vendorId, customer, filter),
      counting: countingOf(vendorId, filter),
      total: totalOfAllTimes(vendorId, filter),
    };
  const all = withFilter(where, filter);
  return { ...list, where: all, total: totalIfKept(all, { vendorId, list: 'usage_event', parts: onlyPart(filter.feature) }) };
}

/**
 * One customer's events, in the order of the index that has them. Postgres believes that the vendor, customer, contract
 * and feature of an event are independent of each other; so it would expect few events of a customer that has many, and
 * would read and sort all of them for each page. Therefore the owner is looked up once, and the other conditions are
 * written so that Postgres has no statistics for them. No index has the events of a contract in their order: they are
 * sorted, unless they are more than the customer's other events.
 */
function ofCustomer(vendorId: string, customer: string, filter: UsageFilter): Where {
  const { contract, feature, from, to } = filter;
  const where = new Where().and('(select o.vendor_id from customer o where o.id = ?) = ?', customer, vendorId);
  // between two instants the customer's index has fewer
  const ofAllTimes = from === undefined && to === undefined;
  if (contract && contract.own <= contract.others)
    return withFilter(where, filter).andGiven('e.customer_id = ?', ofAllTimes ? undefined : customer);
  return withFilter(where, { customer, from, to })
    .andGiven('coalesce(e.contract_id = ?, false)', contract?.contractId)
    .andGiven('coalesce(e.feature_slug = ?, false)', feature);
}

/** Counters keep the number of events, but not of those between two instants. */
const totalOfAllTimes = (vendorId: string, { contract, from, to, ...of }: UsageFilter): List['total'] =>
  from === undefined && to === undefined ? (db) => listedTotal(db, vendorId, { ...of, contract: contract?.contractId }) : undefined;

/**
 * The vendor of the contract or customer is looked up once and not in each row: then an index has all that is counted.
 */
function countingOf(vendorId: string, filter: UsageFilter): Where {
  const { contract, customer } = filter;
  const [table, id] = contract ? ['contract', contract.contractId] : ['customer', customer];
  return withFilter(new Where().and(`(select o.vendor_id from ${table} o where o.id = ?) = ?`, id, vendorId), filter);
}

const withFilter = (where: Where, { contract, customer, feature, from, to }: UsageFilter): Where =>
  where
    .andGiven('e.customer_id = ?', contract ? undefined : customer)
    .andGiven('e.contract_id = ?', contract?.contractId)
    .andGiven('e.feature_slug = ?', feature)
    .andGiven('e.timestamp >= ?::timestamptz', stampOrNull(from))
    .andGiven('e.timestamp < ?::timestamptz', stampOrNull(to));
