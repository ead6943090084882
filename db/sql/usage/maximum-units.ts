import type { Queryable } from '../../connect.ts';

/** A feature as a contract sells it. */
export interface SoldFeature {
  contractId: string;
  slug: string;
}

/**
 * The units of features that have the usual price, in the order of the features; null where there is no maximum. SQL,
 * because it looks into the JSON of what was sold, for many contracts in one statement.
 */
export async function maximumUnits(tx: Queryable, features: readonly SoldFeature[]): Promise<(string | null)[]> {
  if (features.length === 0) return [];
  const rows = await tx.query<{ n: number; maximum: string }>(
    `select k.n::int, f.feature #>> '{price,strategy,maximumUnits}' as maximum
     from unnest($1::text[], $2::text[]) with ordinality as k(contract_id, slug, n)
     join contract c on c.id = k.contract_id
     cross join lateral jsonb_array_elements(c.terms -> 'features') f(feature)
     where f.feature ->> 'slug' = k.slug and f.feature #>> '{price,strategy,maximumUnits}' is not null`,
    [features.map(({ contractId }) => contractId), features.map(({ slug }) => slug)],
  );
  const found = new Map(rows.map(({ n, maximum }) => [n, maximum]));
  return features.map((_, at) => found.get(at + 1) ?? null);
}
