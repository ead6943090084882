import type { Queryable } from '../connect.ts';

export interface CounterKey {
  contractId: string;
  idx: number;
  slug: string;
}

/**
 * Counts one feature of one period anew from its events: the last marker sets the zero value, what has its timestamp or a later one is
 * added. The counter's row is taken first, so that whoever counts beside us waits and adds to our result.
 */
export async function recountUsage(tx: Queryable, { contractId, idx, slug }: CounterKey): Promise<void> {
  const key = [contractId, idx, slug];
  await tx.query(
    `insert into usage_counter (contract_id, period_idx, feature_slug, units, events) values ($1, $2, $3, 0, 0)
     on conflict (contract_id, period_idx, feature_slug) do update set units = usage_counter.units`,
    key,
  );
  await tx.query(
    `with marker as (
       select units, timestamp from usage_event
       where contract_id = $1 and period_idx = $2 and feature_slug = $3 and is_absolute and discarded_at is null
       order by timestamp desc, seq desc limit 1
     ), later as (
       select coalesce(sum(units), 0) as units, count(*) as events from usage_event
       where contract_id = $1 and period_idx = $2 and feature_slug = $3 and not is_absolute and discarded_at is null
         and timestamp >= coalesce((select timestamp from marker), '-infinity')
     )
     update usage_counter set
       units = later.units + coalesce((select units from marker), 0),
       events = later.events + (select count(*) from marker)
     from later where contract_id = $1 and period_idx = $2 and feature_slug = $3`,
    key,
  );
}
