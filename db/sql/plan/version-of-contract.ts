import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** Which version of its plan a contract was signed at. */
export interface SignedVersion {
  number: number;
  internalName: string;
}

const SQL = `
  select number, held->>'internalName' as "internalName" from plan_version
    where vendor_id = $1 and plan_id = $2 and held->'pricings' @> $3::jsonb
    order by began <= $4::timestamptz desc, case when began <= $4::timestamptz then number else -number end desc limit 1`;

/**
 * The version of a plan that a contract was signed at: the newest by then that has its pricing. A contract on a test
 * clock may be signed before its plan was made; then it is the first that has the pricing. Null where none has. SQL: no
 * contract stores the number, and what versions held is looked into where it is.
 */
export async function versionOfContract(
  db: Queryable,
  { vendorId, planId, pricingId, created }: { vendorId: string; planId: string; pricingId: string; created: Instant },
): Promise<SignedVersion | null> {
  const [found] = await db.query<SignedVersion>(SQL, [vendorId, planId, JSON.stringify([{ id: pricingId }]), stamp(created)]);
  return found ?? null;
}
