import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** A running usage period of a customer, with what is counted in it. */
export interface RunningUse {
  contractId: string;
  idx: number;
  /** those that the same billing period began with, before changes */
  places: string[];
  /** units by the feature's slug */
  units: Record<string, string>;
}

/**
 * The usage periods of a customer's contracts that run at an instant. SQL, because a billing period is followed back
 * through the contracts that it was changed in, and its counters come with it.
 *
 * @param most contracts, the newest first
 */
export const runningUse = (db: Queryable, customerId: string, at: number, most: number): Promise<RunningUse[]> =>
  db.query<RunningUse>(
    `with recursive own as (
       select p.contract_id, p.idx from (
         select c.id from contract c where c.customer_id = $1 and c.ended is null and c.status = 'active' order by c.created desc, c.id desc limit $3
       ) c cross join lateral (
         select p.contract_id, p.idx from usage_period p where p.contract_id = c.id and p.start_at <= $2::timestamptz
         order by p.idx desc limit 1
       ) p
     ), part as (
       select o.contract_id as of_contract, o.idx as of_idx, o.contract_id, o.idx, 1 as depth from own o
       union all
       select b.of_contract, b.of_idx, p.follows_contract_id, p.follows_idx, b.depth + 1 from part b
         join usage_period p on p.contract_id = b.contract_id and p.idx = b.idx
         where p.follows_contract_id is not null and b.depth < 20
     )
     select o.contract_id as "contractId", o.idx,
       (select jsonb_agg('period ' || b.contract_id || ' ' || b.idx) from part b where b.of_contract = o.contract_id and b.of_idx = o.idx) as places,
       coalesce((select jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) from usage_counter u
         where u.contract_id = o.contract_id and u.period_idx = o.idx), '{}') as units
     from own o`,
    [customerId, stamp(at), most],
  );
