import type { Queryable } from '../../connect.ts';

/** Something by which money of a customer is still open, and its id. */
export interface OpenMoney {
  kind: 'contract' | 'usage_period' | 'invoice_item' | 'invoice' | 'wallet' | 'credits' | 'payment' | 'refund' | 'dispute';
  id: string;
}

const SQL = `
  (select 'contract' as kind, c.id from contract c
    where c.customer_id = $1 and c.status in ('not_ready', 'pending', 'scheduled', 'active') limit 1)
  union all
  (select 'usage_period', u.contract_id from usage_period u join contract c on c.id = u.contract_id
    where c.customer_id = $1 and u.status <> 'closed' limit 1)
  union all
  (select 'invoice_item', i.id from invoice_item i join contract c on c.id = i.contract_id
    where c.customer_id = $1 and i.invoice_id is null and not i.voided and not i.elsewhere and i.total_including_tax <> 0 limit 1)
  union all
  (select 'invoice', i.id from invoice i
    where i.customer_id = $1 and i.voided_at is null and (i.status = 'pending_validation' or i.amount_due > 0) limit 1)
  union all
  (select 'wallet', w.currency from wallet w where w.customer_id = $1 and w.balance <> 0 limit 1)
  union all
  (select 'credits', g.id from credit_grant g where g.customer_id = $1 and g.balance <> 0 limit 1)
  union all
  (select 'payment', a.id from payment_attempt a where a.customer_id = $1 and a.status = 'processing' limit 1)
  union all
  (select 'refund', r.id from payment_refund r where r.customer_id = $1 and r.status = 'processing' limit 1)
  union all
  (select 'dispute', d.reference from payment_dispute d where d.customer_id = $1 and d.state = 'open' limit 1)`;

/**
 * By what money of a customer is open, at most one of each kind. SQL: one statement looks at nine tables, so that all
 * of it is as of one instant.
 */
export const findOpenMoney = (tx: Queryable, customerId: string): Promise<OpenMoney[]> => tx.query<OpenMoney>(SQL, [customerId]);
