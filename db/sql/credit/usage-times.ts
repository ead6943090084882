import type { UsageTime } from '../../../billing/credit/expiry.ts';
import type { Queryable } from '../../connect.ts';
import { firstSince } from '../usage/part.ts';

/**
 * SQL: since when the usage that a period `p` charges may have been used. Where a change has let usage of the period
 * before go on as one sum, that is the beginning of the billing period. As a scalar that period is looked up by its
 * key: for an `exists` Postgres may read the periods of all customers.
 */
export const CHARGES_SINCE = `case when (
    select b.goes_on <> '[]' from usage_period b where b.contract_id = p.follows_contract_id and b.idx = p.follows_idx
  ) then p.start_at else p.usage_from end`;

/** A usage period that an expiry waits for, or has waited for. */
export type GrantTime = UsageTime & { grantId: string; contractId: string; idx: number };

/**
 * For grants whose life has ended: the charged usage periods in that life that were not closed by its end, of contracts
 * with a usage price that had not ended before. SQL, because it leaves the long history before that life, and the terms
 * of contracts, in the database.
 */
export const usageTimes = (tx: Queryable, grantIds: readonly string[]): Promise<GrantTime[]> =>
  tx.query<GrantTime>(
    `select g.id as "grantId", p.contract_id as "contractId", p.idx, ${CHARGES_SINCE} as "from",
       p.usage_until as until, p.closed_at as "closedAt"
     from credit_grant g
     cross join lateral (
       select c.id, c.terms from contract c where c.customer_id = g.customer_id and c.currency = g.currency and c.ended is null
       union all
       select c.id, c.terms from contract c where c.customer_id = g.customer_id and c.currency = g.currency and c.ended > g.effective_at
       offset 0
     ) c
     cross join lateral (select ${firstSince('c.id', 'g.effective_at')} as idx offset 0) since
     cross join lateral (
       select * from usage_period u where u.contract_id = c.id and u.idx > 0 and u.idx >= since.idx and (u.closed_at is null or u.closed_at > g.expires_at)
       offset 0
     ) p
     where g.id = any($1::text[]) and exists (
       select from jsonb_array_elements(c.terms -> 'features') f where f #>> '{price,strategy,kind}' in ('usage', 'usage_tiered'))
     order by g.id, p.contract_id, p.idx`,
    [grantIds],
  );
