import type { Database } from '../connect.ts';
import { stampOrNull } from '../rows.ts';
import { AHEAD_MS, type ReportedUsage } from './event.ts';

/**
 * Inserts and counts, in one statement, all events for which nothing has to be decided: the customer isn't frozen, the slug is claimed
 * by a chain, the period has a row that isn't closed and holds no marker. Whatever is left out is looked at one by one.
 *
 * Customer, contract and period are held in this order, as by whoever closes the period: an event is either in the sum or refused.
 */
const SQL = `
  with entry as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::timestamptz[], $7::jsonb[], $8::text[])
      as e(id, vendor_id, customer_id, slug, units, given_at, metadata, key)
  ),
  placed as (
    select e.*, ct.id as contract_id, p.idx, coalesce(t.now, clock_timestamp()) as arrived_at,
      coalesce(e.given_at, t.now, clock_timestamp()) as at
    from entry e
    join customer c on c.id = e.customer_id and c.vendor_id = e.vendor_id
    left join test_clock t on t.id = c.test_clock_id
    join usage_claim k on k.customer_id = e.customer_id and k.slug = e.slug
    join contract ct on ct.root_id = k.root_id and ct.status = 'active'
    join usage_period p on p.contract_id = ct.id
    where c.status <> 'inactive' and p.status <> 'closed' and not p.marked and (t.id is null or t.status <> 'advancing')
      and p.usage_from <= coalesce(e.given_at, t.now, clock_timestamp())
      and (p.usage_until is null or coalesce(e.given_at, t.now, clock_timestamp()) < p.usage_until)
      and coalesce(e.given_at, t.now, clock_timestamp()) <= coalesce(t.now, clock_timestamp()) + interval '${AHEAD_MS} milliseconds'
      and not exists (
        select from customer_pause s where s.customer_id = c.id and s.began <= coalesce(e.given_at, t.now, clock_timestamp())
          and coalesce(e.given_at, t.now, clock_timestamp()) < s.ended
      )
    for key share of c for key share of ct for share of p
  ),
  written as (
    insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, is_absolute, timestamp, arrived_at,
      metadata, idempotency_key, allow_correction, corrected)
    select id, vendor_id, customer_id, contract_id, idx, slug, units, false, at, arrived_at, metadata, key, false, false
    from placed order by id
    on conflict (vendor_id, idempotency_key) do nothing
    returning id, contract_id, period_idx, feature_slug, units
  ),
  counted as (
    insert into usage_counter (contract_id, period_idx, feature_slug, units, events)
    select contract_id, period_idx, feature_slug, sum(units), count(*) from written group by 1, 2, 3 order by 1, 2, 3
    on conflict (contract_id, period_idx, feature_slug)
      do update set units = usage_counter.units + excluded.units, events = usage_counter.events + excluded.events
  )
  select id from written`;

/** Ids of the events that are on disk when this returns. */
export async function insertPlain(db: Database, entries: readonly ReportedUsage[]): Promise<Set<string>> {
  const plain = entries.filter((entry) => !entry.isAbsolute);
  if (plain.length === 0) return new Set();
  const rows = await db.prepared<{ id: string }>('usage_insert_plain', SQL, [
    plain.map((entry) => entry.id),
    plain.map((entry) => entry.vendorId),
    plain.map((entry) => entry.customerId),
    plain.map((entry) => entry.slug),
    plain.map((entry) => entry.units),
    plain.map((entry) => stampOrNull(entry.timestamp)),
    plain.map((entry) => JSON.stringify(entry.metadata)),
    plain.map((entry) => entry.idempotencyKey),
  ]);
  return new Set(rows.map(({ id }) => id));
}
