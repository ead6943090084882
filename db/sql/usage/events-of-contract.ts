import type { Queryable } from '../../connect.ts';

/** Whose a contract is, and how many usage events lists have of it. */
export interface EventsOfContract {
  contractId: string;
  customerId: string;
  own: number;
  /** of the customer's other contracts */
  others: number;
}

const SQL = `
  select c.id as "contractId", c.customer_id as "customerId",
    (select coalesce(sum(u.listed), 0)::float8 from usage_counter u where u.contract_id = c.id) as own,
    (select coalesce(sum(u.listed), 0)::float8 from contract o join usage_counter u on u.contract_id = o.id
      where o.customer_id = c.customer_id and o.id <> c.id) as others
  from contract c where c.id = $1 and c.vendor_id = $2`;

/** SQL: sums over the counters of all contracts of a customer. Null where the vendor has no such contract. */
export async function eventsOfContract(db: Queryable, vendorId: string, contractId: string): Promise<EventsOfContract | null> {
  const [row] = await db.query<EventsOfContract>(SQL, [contractId, vendorId]);
  return row ?? null;
}
