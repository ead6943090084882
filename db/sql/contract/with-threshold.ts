import type { Queryable } from '../../connect.ts';

/** A contract with an invoice threshold. */
export interface ThresholdContract {
  id: string;
  customerId: string;
}

/** SQL: contracts `t` with an invoice threshold that usage may come to, now or once they begin. */
export const WITH_THRESHOLD = `select t.id, t.customer_id as "customerId" from contract t
  where t.configuration ->> 'invoiceThreshold' is not null
    and (t.status not in ('moved', 'canceled') or exists (select from usage_period p where p.contract_id = t.id and p.status <> 'closed'))`;

/**
 * The contracts of customers that have an invoice threshold. SQL: asked with each group of usage events, about a value
 * inside the configuration.
 */
export const contractsWithThreshold = (tx: Queryable, customerIds: readonly string[]): Promise<ThresholdContract[]> =>
  tx.query<ThresholdContract>(`${WITH_THRESHOLD} and t.customer_id = any($1::text[]) and t.began is not null order by t.id`, [customerIds]);
