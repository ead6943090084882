import type { Instant } from '../../../billing/calendar/instant.ts';
import type { CustomerState } from '../../../billing/lifecycle/customer.ts';
import type { Queryable } from '../../connect.ts';
import { hasMethodOf } from '../customer/of-contracts.ts';
import { pausesOf, type StoredPauses } from '../customer/pauses.ts';
import { unsized } from '../unsized.ts';
import { rowVersion } from './row-version.ts';

/** A customer whose contracts are asked for. */
export interface StandingAsk {
  customerId: string;
  /** of this chain alone; null: all that are live */
  rootId: string | null;
  /** this one too, whatever its state; null: none */
  contractId: string | null;
}

/** A customer, with a contract that is found, if any; `n` counts the asks from 1. */
export interface StandingRow {
  n: number;
  now: Instant;
  customerId: string;
  status: CustomerState;
  resumeAt: Instant | null;
  pauses: StoredPauses;
  hasMethod: boolean;
  contractId: string | null;
  contractVersion: string;
  /** units reported in the running period and later ones, by idx and feature */
  counted: Record<string, Record<string, string>> | null;
}

const HELD = `c.id, c.xmin, case when c.start_at is null then 0 else coalesce(c.current_idx, 0) end as idx from contract c
    where c.customer_id = k.customer_id`;
const IS_LIVE = `c.ended is null and c.status in ('active', 'scheduled', 'pending')`;
/**
 * Each step is looked up by key for each ask, whatever the planner knows of the tables. Of contracts that have ended
 * only the one that is asked for is looked at.
 */
const SQL = `select k.n::int, date_trunc('milliseconds', now()) as now, customer.id as "customerId", customer.status, customer.resume_at as "resumeAt",
    customer.pauses, customer.has_method as "hasMethod", held.id as "contractId", ${rowVersion('held')} as "contractVersion", counted.counted
  from unnest(${unsized('$1', 'text[]')}, $2::text[], $3::text[]) with ordinality as k(customer_id, root_id, contract_id, n)
  cross join lateral (
    select c.id, c.status, c.resume_at, ${pausesOf('c.id')} as pauses, ${hasMethodOf('c')} as has_method from customer c where c.id = k.customer_id offset 0
  ) customer
  left join lateral (
    select ${HELD} and k.root_id is null and ${IS_LIVE}
    union all
    select ${HELD} and c.root_id = k.root_id and ${IS_LIVE}
    union all
    select ${HELD} and c.id = k.contract_id and (k.root_id is null or c.root_id = k.root_id) and not (${IS_LIVE})
    offset 0
  ) held on true
  left join lateral (
    select jsonb_object_agg(u.idx, u.used) as counted from (
      select u.period_idx as idx, jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) as used
      from usage_counter u where u.contract_id = held.id and u.period_idx >= held.idx group by u.period_idx
    ) u
  ) counted on true`;

/**
 * Customers with their live contracts, without the long JSON of these, and what tells how they stand now. SQL, because
 * while timers are late every read of an entitlement asks for it.
 */
export const readStandings = (db: Queryable, asks: readonly StandingAsk[]): Promise<StandingRow[]> =>
  db.query<StandingRow>(SQL, [
    asks.map(({ customerId }) => customerId),
    asks.map(({ rootId }) => rootId),
    asks.map(({ contractId }) => contractId),
  ]);
