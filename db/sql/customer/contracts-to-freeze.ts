import type { Queryable } from '../../connect.ts';

/** A contract that is frozen or activated with its customer, and its chain. */
interface ToFreeze {
  id: string;
  chainId: string;
}

/**
 * A customer's contracts that are live or still have usage to close, without parked ones. SQL, because only the ids of
 * possibly thousands of contracts are needed, and which ones depends on their usage periods.
 */
export const contractsToFreeze = (tx: Queryable, customerId: string): Promise<ToFreeze[]> =>
  tx.query<ToFreeze>(
    `select id, root_id as "chainId" from contract c where customer_id = $1 and not is_successor and parked_reason is null
       and (status in ('not_ready', 'pending', 'scheduled', 'active')
         or exists (select 1 from usage_period p where p.contract_id = c.id and p.status <> 'closed'))
     order by id`,
    [customerId],
  );
