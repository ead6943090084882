import type { Queryable } from '../../connect.ts';

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

const SQL = `select distinct contract_id as "contractId", customer_id as "customerId" from invoice_item
  where vendor_id = $1 and invoice_id is null and not voided and ($2::text is null or contract_id = $2) and ($3::text is null or customer_id = $3)
    and ($4::text[] is null or id = any($4)) order by customer_id, contract_id`;

/**
 * The contracts that waiting items belong to, by customer. SQL: a `distinct` over the index of waiting items, which
 * MikroORM can't say.
 */
export const waitingPlaces = (
  tx: Queryable,
  vendorId: string,
  { contractId, customerId, itemIds }: WaitingFilter,
): Promise<WaitingPlace[]> => tx.query<WaitingPlace>(SQL, [vendorId, contractId, customerId, itemIds]);
