import { summaryToWire } from '../api/wire/contract.ts';
import { customerToWire } from '../api/wire/customer.ts';
import type { Queryable } from '../db/connect.ts';
import type { CustomerRecord } from '../db/customer/customer.ts';
import { contractsOfCustomers } from '../db/sql/contract/list.ts';

/** Customers with their contracts, in the given order; one statement reads the contracts of all of them. */
export async function customersInFull(db: Queryable, customers: readonly CustomerRecord[]) {
  const contracts = await contractsOfCustomers(
    db,
    customers.map(({ id }) => id),
  );
  return customers.map((customer) => {
    const own = contracts.get(customer.id) ?? [];
    return customerToWire(
      customer,
      own.map(({ contract, customerName, pauses }) => summaryToWire(contract, { name: customerName, pauses })),
    );
  });
}
