import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/**
 * What was left of a customer's credits at the instant at which they last paid a part of an invoice; null: they paid
 * nothing of it. SQL, because it asks for the last movement of each grant until then.
 */
export async function leftAfterUse(
  db: Queryable,
  { id, customerId, currency }: { id: string; customerId: string; currency: Currency },
): Promise<string | null> {
  const [row] = await db.query<{ left: string | null }>(
    `select case when u.at is not null then (
       select coalesce(sum(b.balance_after), 0)::text from credit_grant g cross join lateral (
         select m.balance_after from credit_movement m where m.grant_id = g.id and m.at <= u.at order by m.seq desc limit 1
       ) b
       where g.customer_id = $2 and g.currency = $3 and g.effective_at <= u.at
     ) end as left from (select max(at) as at from credit_movement where invoice_id = $1 and kind = 'used') u`,
    [id, customerId, currency],
  );
  return row?.left ?? null;
}
