import type { Instant } from '../../../billing/calendar/instant.ts';
import type { FeatureValue } from '../../../billing/contract/terms/offer.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { firstSince } from './part.ts';

/** A feature that is asked for, at the customer's time. */
export interface CheckedFeature {
  customerId: string;
  slug: string;
  at: Instant;
  /**
   * where its contracts are late, those that are active now, each with the one in which its usage counts until that is
   * carried out; null: those that are active as they are stored
   */
  active: Readonly<Record<string, string>> | null;
}

/** The contract that has it, and the usage period that runs in it. */
export interface CheckedPlace {
  n: number;
  contractId: string;
  /** null: a plain entitlement */
  pricing: string | null;
  value: FeatureValue | null;
  /** null: the period has no row yet, so nothing is counted in it */
  idx: number | null;
  end: Instant | null;
}

const SQL = `select k.n::int, held.counted_in as "contractId", held.feature #>> '{price,strategy,kind}' as pricing, held.feature -> 'value' as value,
    p.idx, p.end_at as "end"
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::jsonb[]) with ordinality as k(customer_id, slug, at, active, n)
  cross join lateral (
    select coalesce(k.active ->> ct.id, ct.id) as counted_in, f.feature from contract ct cross join lateral jsonb_array_elements(ct.terms -> 'features') f(feature)
    where ct.customer_id = k.customer_id and ct.ended is null and case when k.active is null then ct.status = 'active' else k.active ? ct.id end and f.feature ->> 'slug' = k.slug
    order by coalesce(ct.root_id = (select o.root_id from usage_owner o where o.customer_id = k.customer_id and o.slug = k.slug), false) desc,
      coalesce(f.feature #>> '{price,strategy,kind}', 'flat') = 'flat', f.feature -> 'price' = 'null'::jsonb, ct.activation desc, ct.id desc
    limit 1
  ) held
  cross join lateral (select ${firstSince('held.counted_in', 'k.at')} as idx offset 0) since
  left join lateral (
    select p.idx, p.end_at from usage_period p
    where p.contract_id = held.counted_in and p.idx >= since.idx and p.usage_from <= k.at and (p.usage_until is null or k.at < p.usage_until)
    order by p.idx limit 1
  ) p on true`;

/**
 * Where features that are asked for count, by the place of each in the list, from 1: in the chain that owns their
 * usage, whatever else has the feature. SQL, because it looks into the JSON of what was sold, for many checks in one
 * statement.
 */
export const placeChecks = (tx: Queryable, checks: readonly CheckedFeature[]): Promise<CheckedPlace[]> =>
  tx.query<CheckedPlace>(SQL, [
    checks.map(({ customerId }) => customerId),
    checks.map(({ slug }) => slug),
    checks.map(({ at }) => stamp(at)),
    checks.map(({ active }) => active && JSON.stringify(active)),
  ]);
