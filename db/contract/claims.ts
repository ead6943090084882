import { isLive } from '../../billing/contract/time.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { isUsagePriced } from '../../billing/pricing/strategy.ts';
import type { Queryable } from '../connect.ts';
import { Refusal } from '../refusal.ts';
import { insertRows } from '../rows.ts';

/** Slugs of the features that are charged for reported usage. */
export function usageSlugs({ terms }: Contract): string[] {
  return terms.features.filter((feature) => feature.price !== null && isUsagePriced(feature.price)).map((feature) => feature.slug);
}

/**
 * Keeps the claims of chains on usage slugs: a slug is live in one chain of a customer only. Slugs the chain no longer sells are let go, those of
 * its live contract are taken.
 *
 * @throws Refusal `usage_feature_taken`
 */
export async function keepClaims(tx: Queryable, contracts: readonly Contract[]): Promise<void> {
  const holders = contracts.filter((contract) => isLive(contract) && !contract.isSuccessor);
  const wanted = holders.flatMap((contract) =>
    usageSlugs(contract).map((slug) => ({ customer_id: contract.customerId, slug, root_id: contract.rootId })),
  );
  const held = new Set(holders.map((contract) => contract.rootId));
  const over = contracts.filter((contract) => !isLive(contract) && !contract.isSuccessor).map((contract) => contract.rootId);
  const settled = [...new Set([...held, ...over])];
  if (settled.length === 0) return;
  await tx.query(
    `delete from usage_claim where root_id = any($1::text[])
       and (root_id, slug) not in (select x.root_id, x.slug from jsonb_to_recordset($2::jsonb) as x(root_id text, slug text))
       and not exists (
         select from contract c where c.root_id = usage_claim.root_id and not (c.root_id = any($3::text[]))
           and c.status in ('not_ready', 'pending', 'scheduled', 'active') and not c.is_successor)`,
    [settled, JSON.stringify(wanted), [...held]],
  );
  const taken = await insertRows<{ slug: string; root_id: string; asked: string }>(
    tx,
    'usage_claim',
    wanted,
    `on conflict (customer_id, slug) do update set root_id = usage_claim.root_id returning slug, root_id`,
  );
  const foreign = taken.find(({ root_id }) => !held.has(root_id));
  if (foreign !== undefined) {
    throw new Refusal('usage_feature_taken', `Usage of ${foreign.slug} is counted in another contract of this customer.`, {
      [foreign.slug]: 'is live in another contract',
    });
  }
}
