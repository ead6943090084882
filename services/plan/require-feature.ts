import { Refusal } from '../../billing/refusal.ts';
import { Feature } from '../../db/entities/catalogue.ts';
import type { Tx } from '../../db/transaction.ts';

/**
 * Refuses a slug that no plan of the vendor has or had: with a typing error, what is set for it would never take
 * effect. Features of archived plans and those that are no longer sold count, since contracts still have them.
 *
 * @param field of the request that names it
 * @throws Refusal `feature_not_found`
 */
export async function requireFeature({ em }: Tx, vendorId: string, slug: string, field: string): Promise<void> {
  if ((await em.count(Feature, { slug, vendor: vendorId })) > 0) return;
  throw new Refusal('feature_not_found', `no plan has a feature ${slug}`, { [field]: `${slug} is not known` });
}
