import type { Queryable } from '../../connect.ts';
import { isContractOpen } from '../contract/is-open.ts';

/** A contract that is frozen or activated with its customer, and its chain. */
interface ToFreeze {
  id: string;
  chainId: string;
}

/**
 * A customer's contracts that are live or still have usage to close, without parked ones. SQL, because only the ids of
 * possibly thousands of contracts are needed.
 */
export const contractsToFreeze = (tx: Queryable, customerId: string): Promise<ToFreeze[]> =>
  tx.query<ToFreeze>(
    `select id, root_id as "chainId" from contract c where customer_id = $1 and not is_successor and parked_reason is null and ${isContractOpen('c')}
     order by id`,
    [customerId],
  );
