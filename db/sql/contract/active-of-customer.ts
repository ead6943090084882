import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { contractProjection } from '../projections.ts';

/** A customer's active contracts. SQL, because usage of a customer with a limit on money reads them. */
export const activeContracts = async (db: Queryable, customerId: string): Promise<Contract[]> =>
  (
    await db.query(
      `select ${contractProjection.columns('c')} from contract c where c.customer_id = $1 and c.ended is null and c.status = 'active' order by c.id`,
      [customerId],
    )
  ).map(contractProjection.read);
