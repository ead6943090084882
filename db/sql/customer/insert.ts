import type { Queryable } from '../../connect.ts';
import type { CustomerRecord } from '../../customer/customer.ts';
import { emailKeysOf, searchOf } from '../../entities/customer.ts';
import { stamp } from '../../rows.ts';
import { insertRows } from '../rows.ts';

/** The columns of a customer that its request gives, whatever clock it is on. */
export const givenColumns = (customer: CustomerRecord) => ({
  id: customer.id,
  vendor_id: customer.vendorId,
  name: customer.name,
  emails: customer.emails,
  email_keys: emailKeysOf(customer),
  addresses: customer.addresses,
  metadata: customer.metadata,
  status: customer.status,
  customer_reference: customer.customerReference,
  notes: customer.notes,
  vat_id: customer.vatId,
  language: customer.language,
  configuration: customer.configuration,
  search: searchOf(customer),
});

/**
 * Writes a new customer. SQL, because through the entity manager making one took 36 % more processor time, and imports
 * make customers by the thousand.
 */
export async function insertCustomerRow(tx: Queryable, customer: CustomerRecord): Promise<void> {
  const row = { ...givenColumns(customer), created: stamp(customer.created), test_clock_id: customer.clockId };
  await insertRows(tx, 'customer', [row]);
}
