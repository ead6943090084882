import type { Queryable } from '../../connect.ts';

/** A contract that usage may be invoiced of, or counted in. */
export interface ThresholdContract {
  id: string;
  customerId: string;
  clockId: string | null;
  /** has an invoice threshold; the others only sell the feature */
  hasThreshold: boolean;
}

/** SQL: a contract `t` has an invoice threshold that usage may come to, now or once it begins. */
export const HAS_THRESHOLD = `t.configuration ->> 'invoiceThreshold' is not null
    and (t.status not in ('moved', 'canceled') or exists (select from usage_period p where p.contract_id = t.id and p.status <> 'closed'))`;

/** SQL: the same of one that has begun. */
export const WITH_THRESHOLD = `t.began is not null and ${HAS_THRESHOLD}`;

/** Whose customers have no threshold, whose features aren't looked at. */
const SQL = `
  with own as materialized (
    select t.id, t.customer_id, t.test_clock_id from contract t where t.customer_id = any($1::text[]) and ${WITH_THRESHOLD}
  )
  select own.id, own.customer_id as "customerId", own.test_clock_id as "clockId", true as "hasThreshold" from own
  union all
  select t.id, t.customer_id, t.test_clock_id, false from contract t
  where t.customer_id in (select customer_id from own) and not t.is_successor and t.id not in (select id from own)
    and exists (select from jsonb_array_elements(t.terms -> 'features') f where f ->> 'slug' = any($2::text[]))`;

/**
 * The contracts of customers that have an invoice threshold, and their other contracts that sell one of these features:
 * all that are locked to count usage of them. SQL: asked with each group of usage events, about values inside JSON.
 */
export const contractsWithThreshold = (
  tx: Queryable,
  customerIds: readonly string[],
  slugs: readonly string[] = [],
): Promise<ThresholdContract[]> => tx.query<ThresholdContract>(SQL, [customerIds, slugs]);
