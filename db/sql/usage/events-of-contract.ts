import type { Queryable } from '../../connect.ts';

/** Whose a contract is, and how many usage events lists have of it. */
export interface EventsOfContract {
  contractId: string;
  customerId: string;
  /** of the feature that is asked for */
  own: number;
  /** all others of its customer */
  others: number;
}

const SQL = `
  select c.id as "contractId", c.customer_id as "customerId", s.own, s.listed - s.own as others
  from contract c
  cross join lateral (
    select coalesce(sum(u.listed), 0)::float8 as listed,
      coalesce(sum(u.listed) filter (where u.contract_id = c.id and ($3::text is null or u.feature_slug = $3)), 0)::float8 as own
    from contract o join usage_counter u on u.contract_id = o.id where o.customer_id = c.customer_id
  ) s
  where c.id = $1 and c.vendor_id = $2`;

/**
 * SQL: sums over the counters of all contracts of a customer, a row for each usage period and feature.
 *
 * @param feature undefined: all
 * @returns null where the vendor has no such contract
 */
export async function eventsOfContract(
  db: Queryable,
  vendorId: string,
  { contract, feature }: { contract: string; feature?: string | undefined },
): Promise<EventsOfContract | null> {
  const [row] = await db.query<EventsOfContract>(SQL, [contract, vendorId, feature ?? null]);
  return row ?? null;
}
