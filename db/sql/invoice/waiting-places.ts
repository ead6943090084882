import type { Queryable } from '../../connect.ts';
import { Where } from '../list/where.ts';

/**
 * Which waiting items to invoice: those of a contract, of a customer, or named one by one; what is given must all be
 * so.
 */
export interface WaitingFilter {
  contractId: string | null;
  customerId: string | null;
  itemIds: readonly string[] | null;
}

export interface WaitingPlace {
  contractId: string;
  customerId: string;
}

/**
 * The contracts that waiting items belong to, by customer. SQL: a `distinct` over the index of waiting items, which
 * MikroORM can't say. A text for each filter: a text with all of them would have one general plan, which reads every
 * item of the vendor.
 */
export function waitingPlaces(
  tx: Queryable,
  vendorId: string,
  { contractId, customerId, itemIds }: WaitingFilter,
): Promise<WaitingPlace[]> {
  const where = new Where();
  where.param(vendorId);
  where
    .andGiven('i.contract_id = ?', contractId)
    // waiting items have an index by contract
    .andGiven('i.contract_id = any(array(select c.id from contract c where c.customer_id = ?))', customerId)
    .andGiven('i.customer_id = ?', customerId)
    .andGiven('i.id = any(?::text[])', itemIds);
  return tx.query<WaitingPlace>(
    `select distinct i.contract_id as "contractId", i.customer_id as "customerId" from invoice_item i
     where i.vendor_id = $1 and i.invoice_id is null and not i.voided and not i.elsewhere and ${where.sql} order by "customerId", "contractId"`,
    where.params,
  );
}
