import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { isContractOpen } from './is-open.ts';

/** A contract whose usage may be invoiced early, or in which usage may be counted. */
export interface ThresholdContract {
  id: string;
  customerId: string;
  clockId: string | null;
  /** has an invoice threshold; the others only sell the feature */
  hasThreshold: boolean;
}

/** SQL: a contract `t` has an invoice threshold that usage may come to, now or once it begins. */
export const HAS_THRESHOLD = `t.configuration ->> 'invoiceThreshold' is not null and ${isContractOpen('t')}`;

/** SQL: the same for a contract that has begun. */
export const WITH_THRESHOLD = `t.began is not null and ${HAS_THRESHOLD}`;

/** One array, so that contracts are found by their customers: by a join those of all customers may be read. */
const OF_OWN = 't.customer_id = any(array(select customer_id from own))';
const SELLS = `not t.is_successor and t.id not in (select id from own)
    and exists (select from jsonb_array_elements(t.terms -> 'features') f where f ->> 'slug' = any($2::text[]))`;

/**
 * Features are looked at only for customers that have a threshold. Contracts that had ended before the usage are left
 * out by an index, however many of them changes have left. A contract that has events of the usage already may come
 * twice.
 */
const SQL = `
  with own as materialized (
    select t.id, t.customer_id, t.test_clock_id from contract t where t.customer_id = any($1::text[]) and ${WITH_THRESHOLD}
  )
  select own.id, own.customer_id as "customerId", own.test_clock_id as "clockId", true as "hasThreshold" from own
  union all
  select t.id, t.customer_id, t.test_clock_id, false from contract t
  where ${OF_OWN} and t.ended is null and ${SELLS}
  union all
  select t.id, t.customer_id, t.test_clock_id, false from contract t
  where ${OF_OWN} and t.ended >= $3 and t.began <= $4 and ${SELLS}
  union all
  select t.id, t.customer_id, t.test_clock_id, false from contract t
  where t.id = any($5::text[]) and ${OF_OWN} and t.ended is not null and ${SELLS}`;

/** Usage that is to be counted. */
export interface UsageToCount {
  slugs: readonly string[];
  /** the given timestamps of events; events dated by their arrival count in a live contract */
  given: readonly Instant[];
  /** contracts that have events of it already */
  contractIds?: readonly string[];
}

/**
 * The contracts of customers that have an invoice threshold, and their other contracts that sell one of these features
 * and may have the usage counted: all that are locked to count it. SQL: asked with each group of usage events, about
 * values inside JSON.
 */
export const contractsWithThreshold = (
  tx: Queryable,
  customerIds: readonly string[],
  { slugs, given, contractIds = [] }: UsageToCount,
): Promise<ThresholdContract[]> => {
  const earliest = given.length === 0 ? 'infinity' : stamp(Math.min(...given));
  const latest = given.length === 0 ? '-infinity' : stamp(Math.max(...given));
  return tx.query<ThresholdContract>(SQL, [customerIds, slugs, earliest, latest, contractIds]);
};
