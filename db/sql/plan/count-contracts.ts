import type { Queryable } from '../../connect.ts';

/** Live contracts at one pricing of a plan, retired ones too. */
export interface PricingCount {
  pricingId: string;
  contracts: number;
}

const SQL = `
  with newest as (
    select pricing_id, status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor as is_live
    from contract where vendor_id = $1 and plan_id = $2 order by created desc, id desc limit $3
  )
  select pricing_id as "pricingId", count(*) filter (where is_live)::int as contracts, count(*)::int as read from newest group by pricing_id`;

/**
 * How many live contracts stand at each pricing of a vendor's plan, among the newest `most` contracts of it. SQL: the
 * rows are counted where they are, along the index of a plan's contracts, and never more than `most` of them.
 *
 * @returns the counts, and whether there may be contracts beyond those that were read
 */
export async function contractsByPricing(
  db: Queryable,
  vendorId: string,
  planId: string,
  most: number,
): Promise<{ counts: PricingCount[]; isCut: boolean }> {
  const rows = await db.query<PricingCount & { read: number }>(SQL, [vendorId, planId, most]);
  const read = rows.reduce((all, row) => all + row.read, 0);
  return { counts: rows.map(({ pricingId, contracts }) => ({ pricingId, contracts })), isCut: read >= most };
}
