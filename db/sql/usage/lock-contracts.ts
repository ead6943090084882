import type { Queryable } from '../../connect.ts';
import type { ContractRecordRow } from '../../mapping/contract.ts';
import type { LockStrength } from '../lock.ts';

/**
 * A customer's contracts that sell a feature, by id, locked. SQL, because it looks into the JSON of what was sold, for
 * every usage event that is decided one by one.
 */
export function lockContractsWith(tx: Queryable, customerId: string, slug: string, strength: LockStrength): Promise<ContractRecordRow[]> {
  return tx.query<ContractRecordRow>(
    `select * from contract where customer_id = $1 and not is_successor
       and terms->'features' @> jsonb_build_array(jsonb_build_object('slug', $2::text))
     order by id for ${strength}`,
    [customerId, slug],
  );
}
