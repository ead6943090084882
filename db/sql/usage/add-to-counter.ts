import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import type { CounterKey } from './part.ts';

/** What an event, or several that no marker comes between, add to the sum of their period, or take from it. */
export interface CountedChange {
  /** signed decimal text */
  units: string;
  /** how many more count, negative: fewer */
  events: number;
  /** how many more are in the lists; an event that is discarded stays in them */
  listed: number;
  /** the latest instant */
  at: Instant;
}

const ADD = `
  insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed, latest_at)
  select $1, $2, $3, 0, 0, sum(d.units), sum(d.events), $7, max(d.at)
  from unnest($4::numeric[], $5::int[], $6::timestamptz[]) as d(units, events, at)
  on conflict (contract_id, period_idx, feature_slug) do update set listed = usage_counter.listed + excluded.listed, (own_units, own_events, latest_at) = (
    select usage_counter.own_units + coalesce(sum(d.units), 0), usage_counter.own_events + coalesce(sum(d.events), 0),
      greatest(usage_counter.latest_at, max(d.at))
    from unnest($4::numeric[], $5::int[], $6::timestamptz[]) as d(units, events, at)
    where usage_counter.marker_at is null or usage_counter.marker_at <= d.at
  )`;

/**
 * Adds events that are no markers to a counter's own sum; what is earlier than its last marker doesn't count. SQL,
 * because the row itself is added to, so that two who count at once wait for each other.
 */
export async function addToCounter(tx: Queryable, { contractId, idx, slug }: CounterKey, changes: readonly CountedChange[]): Promise<void> {
  const [units, events] = [changes.map((change) => change.units), changes.map((change) => change.events)];
  await tx.query(ADD, [contractId, idx, slug, units, events, changes.map(({ at }) => stamp(at)), listedBy(changes)]);
}

/** How many more events the lists have. */
export const listedBy = (changes: readonly CountedChange[]): number => changes.reduce((sum, { listed }) => sum + listed, 0);
