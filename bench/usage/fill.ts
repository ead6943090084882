import type { Queryable } from '../../db/connect.ts';
import { recountUsage } from '../../db/usage/count.ts';

const AT_ONCE = 100_000;

const INSERT = `
  insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
  select 'Evt_' || uuidv7(), c.vendor_id, c.customer_id, c.id, p.idx, $2, 1 + n % 9, p.usage_from + w.ago, p.usage_from + w.ago, '{}'
  from contract c join usage_period p on p.contract_id = c.id and p.status = 'open'
  cross join generate_series(1, $3::int) n
  cross join lateral (select (clock_timestamp() - p.usage_from) * (n::float8 / ($3::int + 1)) as ago) w
  where c.id = $1`;

/** Gives the open period of a contract events spread over its time so far, and counts them. */
export async function fillPeriod(db: Queryable, contractId: string, slug: string, events: number): Promise<void> {
  for (let left = events; left > 0; left -= AT_ONCE) await db.query(INSERT, [contractId, slug, Math.min(left, AT_ONCE)]);
  const periods = await db.query<{ idx: number }>(`select idx from usage_period where contract_id = $1 and status = 'open'`, [contractId]);
  for (const { idx } of periods) await recountUsage(db, { contractId, idx, slug }, events);
}
