import type { UsageTime } from '../../../billing/credit/expiry.ts';
import type { Queryable } from '../../connect.ts';

/**
 * SQL: since when the usage that a period `p` charges may have been used. Where a change has let usage of the period
 * before go on as one sum, that is the beginning of the billing period.
 */
export const CHARGES_SINCE = `case when exists (
    select from usage_period b where b.contract_id = p.follows_contract_id and b.idx = p.follows_idx and b.goes_on <> '[]'
  ) then p.start_at else p.usage_from end`;

/** A usage period that an expiry waits for, or has waited for. */
export type GrantTime = UsageTime & { grantId: string };

/**
 * Of grants whose life has ended the charged usage periods within it that were not closed by then, of contracts with a
 * usage price. SQL, because it leaves the long history of closed periods, and the terms of contracts, where they are.
 */
export const usageTimes = (tx: Queryable, grantIds: readonly string[]): Promise<GrantTime[]> =>
  tx.query<GrantTime>(
    `select g.id as "grantId", ${CHARGES_SINCE} as "from",
       p.usage_until as until, p.closed_at as "closedAt"
     from credit_grant g
     join contract c on c.customer_id = g.customer_id and c.currency = g.currency
     join usage_period p on p.contract_id = c.id and p.idx > 0 and (p.closed_at is null or p.closed_at > g.expires_at)
     where g.id = any($1::text[]) and exists (
       select from jsonb_array_elements(c.terms -> 'features') f where f #>> '{price,strategy,kind}' in ('usage', 'usage_tiered'))
     order by g.id, p.contract_id, p.idx`,
    [grantIds],
  );
