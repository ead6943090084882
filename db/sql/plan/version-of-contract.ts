import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** Which version of its plan a contract was signed at. */
export interface SignedVersion {
  number: number;
  internalName: string;
}

/** The first version with the pricing, in an order: what a version held is long, and only looked into up to there. */
const firstOf = (which: string, order: 'asc' | 'desc'): string => `
  (select v.number, v.held->>'internalName' as "internalName" from (
     select number, held from plan_version where vendor_id = $1 and plan_id = $2 and began ${which} $4::timestamptz order by number ${order} offset 0
   ) v where v.held->'pricings' @> $3::jsonb limit 1)`;
const SQL = `${firstOf('<=', 'desc')} union all ${firstOf('>', 'asc')} limit 1`;

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
