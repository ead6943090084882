import type { Database, Queryable } from '../../connect.ts';
import { isAnswerLost } from '../../fault.ts';
import { stampOrNull } from '../../rows.ts';
import { AHEAD_MS, type ReportedUsage } from '../../usage/event.ts';
import { besideKey } from '../beside-key.ts';
import { CommitUnknown } from '../transaction/commit-fate.ts';
import { distinctKeys, liveKey } from '../vendor-account/live-key.ts';
import { firstSince } from './part.ts';

const spans = (period: string): string =>
  `${period}.usage_from <= w.at and (${period}.usage_until is null or w.at < ${period}.usage_until)`;

/** SQL: no date has come at which a contract is to end. Freezes may move it, which is looked at one by one. */
const lives = (contract: string): string => `(${contract}.expiration_at is null or w.at < ${contract}.expiration_at)
        and coalesce(extract(epoch from w.at) * 1000 < (${contract}.cancellation #>> '{when,at}')::numeric, true)`;

/**
 * SQL: the entries for which nothing has to be decided, each with the contract and period it belongs to: the customer
 * isn't frozen, the slug has a chain that owns it whose end hasn't come, the period has a row that isn't closed and has
 * no marker, and it is none that follows a cancellation. What is left out is looked at one by one, and so is what comes
 * with a key that has ended.
 *
 * Entries of one customer, feature and given time are counted in one place, which is looked up once for all of them:
 * each step by key, whatever the planner knows of the tables. Customer, contract and period are locked in this order,
 * as by a closing of the period: an event is either in the sum or refused. The period is locked `for share`: a `key
 * share` takes a row as the statement's snapshot has it although it was closed while the contract's row was waited for,
 * and the event would be counted nowhere. A row made ahead of time may reach back over the running period, which a
 * freeze has since prolonged: the earlier one counts, so it is chosen before it is locked.
 *
 * Entries meet their places in a `full` join, which Postgres never does as a nested loop: it takes both for few, and
 * would compare each with each.
 *
 * @param customer condition on the customer `c`, looked at again once its row is locked
 * @param wait `skip locked` leaves out what another transaction has locked; nothing waits for it
 */
export const placedEntries = (customer: string, wait: '' | ' skip locked'): string => `
  place as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[]) with ordinality
      as a(vendor_id, customer_id, slug, given_at, key_id, n)
    where ${liveKey('a.key_id', '$6')}
  ),
  found as materialized (
    select a.n, a.vendor_id, a.customer_id, a.slug, ct.id as contract_id, p.idx, w.arrived_at, w.at
    from place a
    cross join lateral (
      select c.id, c.test_clock_id from customer c where c.id = a.customer_id and c.vendor_id is not distinct from a.vendor_id and c.status <> 'inactive'
        and ${customer}
      for key share${wait}
    ) c
    left join lateral (select t.now, t.status from test_clock t where t.id = c.test_clock_id offset 0) t on true
    cross join lateral (
      select coalesce(t.now, o.clock) as arrived_at, coalesce(a.given_at, t.now, o.clock) as at
      from (select date_trunc('milliseconds', clock_timestamp()) as clock) o offset 0
    ) w
    cross join lateral (select k.root_id from usage_owner k where k.customer_id = a.customer_id and k.slug = a.slug offset 0) k
    cross join lateral (
      select ct.id, case when ct.cancellation is not null then ct.current_idx end as last_idx from contract ct
      where ct.root_id = k.root_id and ct.ended is null and ${besideKey(`ct.status = 'active' and ${lives('ct')}`)} for key share${wait}
    ) ct
    cross join lateral (select ${firstSince('ct.id', 'w.at')} as idx offset 0) since
    cross join lateral (
      select p.idx from usage_period p where p.contract_id = ct.id and p.idx >= since.idx and p.status <> 'closed' and not p.marked and ${spans('p')}
        and (ct.last_idx is null or p.idx <= ct.last_idx)
      order by p.idx limit 1
    ) earliest
    cross join lateral (
      select p.idx from usage_period p where p.contract_id = ct.id and p.idx = earliest.idx and p.status <> 'closed' and not p.marked and ${spans('p')}
      for share${wait}
    ) p
    where t.status is distinct from 'advancing' and w.at <= w.arrived_at + interval '${AHEAD_MS} milliseconds'
      and not exists (select from customer_pause s where s.customer_id = a.customer_id and s.began <= w.at and w.at < s.ended)
  ),
  matched as materialized (
    select e.id, e.units, e.metadata, e.key, f.vendor_id, f.customer_id, f.slug, f.contract_id, f.idx, f.arrived_at, f.at
    from unnest($7::text[], $8::bigint[], $9::numeric[], $10::jsonb[], $11::text[]) as e(id, n, units, metadata, key)
    full join found f using (n)
  ),
  placed as (select * from matched where contract_id is not null)`;

/** SQL: writes the rows `placed` as events and counts them; a key that was used before leaves its event out. */
export const WRITE_PLACED = `
  keyed as (
    insert into usage_key (vendor_id, key, event_id) select vendor_id, key, id from placed where key is not null order by key, id
    on conflict do nothing returning event_id
  ),
  written as (
    insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, is_absolute, timestamp, arrived_at,
      metadata, allow_correction, corrected)
    select id, vendor_id, customer_id, contract_id, idx, slug, units, false, at, arrived_at, metadata, false, false
    from placed where key is null or id in (select event_id from keyed)
    returning id, contract_id, period_idx, feature_slug, units, timestamp
  ),
  counted as (
    insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed, latest_at)
    select contract_id, period_idx, feature_slug, sum(units), count(*), sum(units), count(*), count(*), max(timestamp)
    from written group by 1, 2, 3 order by 1, 2, 3
    on conflict (contract_id, period_idx, feature_slug)
      do update set units = usage_counter.units + excluded.units, events = usage_counter.events + excluded.events,
        own_units = usage_counter.own_units + excluded.own_units, own_events = usage_counter.own_events + excluded.own_events,
        listed = usage_counter.listed + excluded.listed, latest_at = greatest(usage_counter.latest_at, excluded.latest_at)
  )
  select id from written`;

/** The customer of an event of this statement has no limits: those take an order among the events. */
const statement = (wait: '' | ' skip locked'): string => `with ${placedEntries('not c.watched', wait)}, ${WRITE_PLACED}`;

const SKIPPING = statement(' skip locked');
const WAITING = statement('');

/**
 * Inserts events, but for those whose customer or contract another transaction has locked: a group doesn't wait for
 * them. SQL, because it is what the API does most: one statement for all requests that arrive together.
 *
 * @returns ids of those that are on disk when this returns
 * @throws CommitUnknown when the answer was lost: they may be on disk
 */
export async function insertPlain(db: Database, entries: readonly ReportedUsage[]): Promise<Set<string>> {
  const plain = entries.filter((entry) => !entry.isAbsolute);
  if (plain.length === 0) return new Set();
  try {
    return idsOf(await db.prepared<{ id: string }>('usage_insert_plain', SKIPPING, entryParams(plain)));
  } catch (error) {
    throw isAnswerLost(error) ? new CommitUnknown(error) : error;
  }
}

/** Inserts events, and waits for their customers and contracts. */
export async function insertPlainWaiting(tx: Queryable, entries: readonly ReportedUsage[]): Promise<Set<string>> {
  return idsOf(await tx.query<{ id: string }>(WAITING, entryParams(entries)));
}

const idsOf = (rows: readonly { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id));

/** The parameters of `placedEntries`. */
export function entryParams(plain: readonly ReportedUsage[]): unknown[] {
  const places = [...Map.groupBy(plain, placeOf).values()];
  const firsts = places.flatMap((entries) => entries.slice(0, 1));
  const ordered = places.flat();
  return [
    firsts.map((entry) => entry.vendorId),
    firsts.map((entry) => entry.customerId),
    firsts.map((entry) => entry.slug),
    firsts.map((entry) => stampOrNull(entry.timestamp)),
    firsts.map((entry) => entry.keyId),
    distinctKeys(firsts),
    ordered.map((entry) => entry.id),
    places.flatMap((entries, at) => entries.map(() => at + 1)),
    ordered.map((entry) => entry.units),
    ordered.map((entry) => JSON.stringify(entry.metadata)),
    ordered.map((entry) => entry.idempotencyKey),
  ];
}

/** Entries that have it in common are counted in the same period. */
const placeOf = ({ vendorId, customerId, slug, timestamp, keyId }: ReportedUsage): string =>
  `${vendorId} ${keyId} ${customerId} ${timestamp} ${slug}`;
