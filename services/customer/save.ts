import type { Instant } from '../../billing/calendar/instant.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { born } from '../../billing/lifecycle/machine.ts';
import type { Tx } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { Customer, CustomerHistory } from '../../db/entities/customer.ts';
import { publish } from '../../db/event/publish.ts';
import { newId } from '../../db/id.ts';

/** A new customer of whom nothing is known yet; null clock: on the wall clock. */
export const blankCustomer = (vendorId: string, clockId: string | null, created: Instant): CustomerRecord => ({
  id: newId('Cust'),
  vendorId,
  created,
  name: '',
  emails: {},
  addresses: {},
  metadata: {},
  status: born(customerMachine, 'create'),
  customerReference: null,
  notes: null,
  vatId: null,
  clockId,
  configuration: {},
});

/** Writes a new customer and tells of it. */
export async function insertCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  tx.em.create(Customer, customer);
  await tx.em.flush();
  await publish(tx, [{ vendorId: customer.vendorId, type: 'v1.customer.created', objectId: customer.id, at, data: {} }]);
}

/** Brings a customer to what it shall be; who holds it is not judged here. Status and freezes have their own writes. */
export async function updateCustomer(tx: Tx, customer: CustomerRecord, at: number): Promise<void> {
  const { id, vendorId, name, emails, addresses, metadata, customerReference, notes, vatId, configuration } = customer;
  const stored = await tx.em.findOneOrFail(Customer, { id, vendorId });
  Object.assign(stored, { name, emails, addresses, metadata, customerReference, notes, vatId, configuration });
  await tx.em.flush();
  await publish(tx, [{ vendorId, type: 'v1.customer.updated', objectId: id, at, data: {} }]);
}

export interface HistoryEntry {
  customerId: string;
  kind: string;
  notes: string | null;
  keyId: string | null;
  at: number;
}

/** Keeps what was done to a customer, by which key, with the caller's notes. */
export async function recordHistory({ em }: Tx, { customerId, kind, notes, keyId, at }: HistoryEntry): Promise<void> {
  em.create(CustomerHistory, { customer: customerId, kind, notes, key: keyId, at });
  await em.flush();
}
