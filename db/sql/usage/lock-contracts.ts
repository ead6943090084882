import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import type { LockStrength } from '../lock.ts';
import { contractProjection } from '../projections.ts';

/**
 * A customer's contracts that sell a feature, locked in the one order: first contracts of chains, then the others, each
 * by id. SQL, because it looks into the JSON of what was sold, for every usage event that is decided one by one.
 */
export async function lockContractsWith(tx: Queryable, customerId: string, slug: string, strength: LockStrength): Promise<Contract[]> {
  const rows = await tx.query(
    `select ${contractProjection.columns('c')} from contract c where c.customer_id = $1 and not c.is_successor
       and c.terms->'features' @> jsonb_build_array(jsonb_build_object('slug', $2::text))
     order by c.id <> c.root_id, c.id for ${strength}`,
    [customerId, slug],
  );
  return rows.map(contractProjection.read);
}
