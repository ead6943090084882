import type { Queryable } from '../../connect.ts';
import type { CustomerRecord } from '../../customer/customer.ts';
import { emailKeysOf, searchOf } from '../../entities/customer.ts';
import { stamp } from '../../rows.ts';
import { insertRows } from '../rows.ts';

/**
 * Writes a new customer. SQL, because through the entity manager making one took 36 % more processor time, and imports
 * make customers by the thousand.
 */
export async function insertCustomerRow(tx: Queryable, customer: CustomerRecord): Promise<void> {
  const row = {
    id: customer.id,
    vendor_id: customer.vendorId,
    created: stamp(customer.created),
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
    test_clock_id: customer.clockId,
    configuration: customer.configuration,
    search: searchOf(customer),
  };
  await insertRows(tx, 'customer', [row]);
}
