import type { Queryable } from '../../connect.ts';

/** A contract with an invoice threshold. */
export interface ThresholdContract {
  id: string;
  customerId: string;
}

/** SQL: a contract `t` has an invoice threshold that usage may come to, now or once it begins. */
export const HAS_THRESHOLD = `t.configuration ->> 'invoiceThreshold' is not null
    and (t.status not in ('moved', 'canceled') or exists (select from usage_period p where p.contract_id = t.id and p.status <> 'closed'))`;

const SQL = `
  select t.id, t.customer_id as "customerId" from contract t
  where t.customer_id = any($1::text[]) and t.began is not null and ${HAS_THRESHOLD}
  order by t.id`;

/**
 * The contracts of customers that have an invoice threshold. SQL: asked with each group of usage events, about a value
 * inside the configuration.
 */
export const contractsWithThreshold = (tx: Queryable, customerIds: readonly string[]): Promise<ThresholdContract[]> =>
  tx.query<ThresholdContract>(SQL, [customerIds]);
